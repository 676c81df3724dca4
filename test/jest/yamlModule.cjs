/** Lets tests load a YAML file as a module. */
const { parse } = require("yaml");

exports.process = (text) => ({ code: `module.exports = ${JSON.stringify(parse(text))};` });
