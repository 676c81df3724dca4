/** What a project has in Pulumi.yaml for the plugin of the package in its node_modules. */
export const PLUGIN_PROJECT = {
  plugins: { providers: [{ name: "dynamiclink", path: "./node_modules/pulumi-dynamiclink/plugin" }] },
};
