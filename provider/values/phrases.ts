/** Grammar of messages: plurals, enumerations, articles, capitals. */

/** A count with its noun, such as `2 links`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** An enumeration, such as `a, b and c`. */
export function enumerated(things: readonly string[]): string {
  return new Intl.ListFormat("en-GB").format(things);
}

export function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function uncapitalized(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** What messages call an object, at the start of a sentence: by its name, if they show that, and by its UUID. */
export function objectName(title: string, uuid: string, name?: string): string {
  return name === undefined ? `${capitalized(title)} ${uuid}` : `${capitalized(title)} ${name} (${uuid})`;
}
