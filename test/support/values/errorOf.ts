/** The error of a call that must fail with an error of this class. */
export async function errorOf<Expected extends Error = Error>(
  call: Promise<unknown>,
  expected: abstract new (...args: never) => Expected = Error as never,
): Promise<Expected> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof expected) return error;
  throw new Error("The call did not fail as expected.", { cause: error });
}
