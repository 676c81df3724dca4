/** The addresses of the repository: on the web, and of the releases from which Pulumi downloads the native plugin. */

/** The address of a repository on the web. Undefined if it has none. */
export function repositoryOnWeb(repository: string): URL | undefined {
  const url = URL.parse(repository.replace(/^git\+/, "").replace(/\.git$/, ""));
  return url && /^https?:$/.test(url.protocol) && url.pathname !== "/" ? url : undefined;
}

/** The address of a release in a repository, as `pluginDownloadURL`. Undefined if it has none, or only a placeholder. */
export function pluginDownloadUrl(repository: string, version: string): string | undefined {
  const address = repositoryOnWeb(repository);
  if (address === undefined || isPlaceholder(repository)) return undefined;
  // With this scheme, Pulumi uses GITHUB_TOKEN, so that it can read private repositories.
  if (address.host === "github.com") return `github://api.github.com${address.pathname}`;
  // Pulumi would replace a variable, but `pulumi import` could not generate code then.
  return `${address}/releases/download/v${version}`;
}

/** Whether the hostname of an address is under `.example`, so that the maintainers must still set the real one. */
export function isPlaceholder(address: string): boolean {
  return /\.example(?=[:/]|$)/.test(address);
}
