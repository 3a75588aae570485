export const id = 152;
export const ids = [152];
export const modules = {

/***/ 152:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   "default": () => (__WEBPACK_DEFAULT_EXPORT__)
/* harmony export */ });
/* harmony import */ var node_module__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(995);
/* harmony import */ var _chunk_Z5NG2X2G_mjs__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(407);
/* harmony import */ var _chunk_Z2WLCMPA_mjs__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(370);
 const require = (0,node_module__WEBPACK_IMPORTED_MODULE_0__.createRequire)(import.meta.url);


/* harmony default export */ const __WEBPACK_DEFAULT_EXPORT__ = ((0,_chunk_Z5NG2X2G_mjs__WEBPACK_IMPORTED_MODULE_1__/* .require_dispatcher */ .m)());


/***/ })

};
