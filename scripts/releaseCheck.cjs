/**
 * `npm run release:check [-- <tag>]`: fails if the package in the current directory is not ready to be published.
 */
const { readFileSync } = require("node:fs");

const { bugs = {}, repository = {}, version } = JSON.parse(readFileSync("package.json", "utf8"));
const [tag = `v${version}`] = process.argv.slice(2);

const addresses = { "repository.url": repository.url, "bugs.url": bugs.url, "bugs.email": bugs.email };
const problems = Object.entries(addresses)
  .filter(([, address]) => address === undefined || /\.example(?=[:/]|$)/.test(address))
  .map(([name, address]) => `${name} in package.json is ${address ?? "missing"}: set the real address.`);
if (tag !== `v${version}`) problems.push(`The tag is ${tag}, but the version in package.json is ${version}.`);
if (!readFileSync("CHANGELOG.md", "utf8").includes(`\n## ${version}\n`)) {
  problems.push(`CHANGELOG.md has no section for ${version}.`);
}

for (const problem of problems) console.error(`error: ${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;
