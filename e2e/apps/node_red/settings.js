/** Settings that know nothing of Keystead. */
module.exports = { uiHost: "127.0.0.1", uiPort: process.env.PORT, credentialSecret: false };
