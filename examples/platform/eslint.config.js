import { configs } from "typescript-eslint";

export default [
  { ignores: ["*.js", "*.cjs"] },
  ...configs.strictTypeChecked,
  { languageOptions: { parserOptions: { projectService: true } } },
];
