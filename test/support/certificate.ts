import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

/**
 * Makes a key and a self-signed certificate for a host name, valid for a day, so that a test can start a
 * TLS server without a key in the repository. A client trusts it with NODE_EXTRA_CA_CERTS.
 */
export function makeCertificate(host: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const ecdsaWithSha256 = sequence(objectId("2a8648ce3d040302"));
  const commonName = sequence(
    der(0x31, sequence(objectId("550403"), der(0x0c, Buffer.from(host)))),
  );
  const now = Date.now();
  const day = 24 * 60 * 60 * 1000;
  const subjectAltName = sequence(
    objectId("551d11"),
    der(0x04, sequence(der(0x82, Buffer.from(host)))),
  );
  const isAuthority = sequence(
    objectId("551d13"),
    der(0x04, sequence(der(0x01, Buffer.from([0xff])))),
  );
  const certificate = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    commonName,
    sequence(utcTime(now - day), utcTime(now + day)),
    commonName,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(subjectAltName, isAuthority)),
  );
  const signature = sign("sha256", certificate, privateKey);
  const signed = sequence(
    certificate,
    ecdsaWithSha256,
    der(0x03, Buffer.concat([Buffer.from([0]), signature])),
  );
  const lines = signed.toString("base64").replaceAll(/(.{64})/g, "$1\n");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines.trimEnd()}\n-----END CERTIFICATE-----\n`,
  };
}

/** Tag, length, value. */
function der(tag: number, value: Buffer): Buffer {
  const size = value.length;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), value]);
}

const sequence = (...parts: Buffer[]) => der(0x30, Buffer.concat(parts));
const integer = (value: Buffer) => der(0x02, value);
const objectId = (hex: string) => der(0x06, Buffer.from(hex, "hex"));
const utcTime = (time: number) =>
  der(0x17, Buffer.from(`${new Date(time).toISOString().replaceAll(/^..|[-:T]|\.\d+/g, "")}`));
