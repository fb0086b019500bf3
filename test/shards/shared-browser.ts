// The browser that the test files of one shard share, started for the first file that asks: a start
// takes as much processor time as loading some pages.
import type { Browser } from 'playwright-core'

let browser: Promise<Browser> | undefined
let inShard = false

/** From now on files share; a file that runs alone has a browser of its own. */
export function shareBrowser(): void {
  inShard = true
}

/** Null: nothing is shared here. */
export async function sharedBrowser(launch: () => Promise<Browser>): Promise<Browser | null> {
  if (!inShard) return null
  const before = browser
  // One that crashed fails its file, and not those that follow. Two that ask at once share one.
  if (!(await before)?.isConnected() && browser === before) browser = launch()
  return (await browser) ?? null
}

export async function closeSharedBrowser(): Promise<void> {
  await (await browser)?.close()
}
