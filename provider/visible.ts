/** Reading what the key may not be allowed to read. */
import { ForbiddenError } from "./client/errors";

/** What is read, or undefined when the service does not let the key read it. */
export async function ifVisible<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ForbiddenError) return undefined;
    throw error;
  }
}
