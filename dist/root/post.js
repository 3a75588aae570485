if (process.env.STATE_run) require("./index.js");
