/** The names of the texts that contain a key: plain, as in a URL, or as in JSON. */
export function placesWith(key: string, places: Readonly<Record<string, string>>): string[] {
  const written = [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)];
  return Object.entries(places)
    .filter(([, text]) => written.some((spelling) => text.toLowerCase().includes(spelling.toLowerCase())))
    .map(([place]) => place);
}
