// Windows of a minute (rate limits): a test that counts in one must not begin shortly before its
// end.

/** Waits for the next minute if less than that is left of this one. */
export async function untilMinuteIsYoung(enough_ms = 15_000): Promise<void> {
  const left_ms = 60_000 - (Date.now() % 60_000)
  if (left_ms < enough_ms) await new Promise((resolve) => setTimeout(resolve, left_ms))
}
