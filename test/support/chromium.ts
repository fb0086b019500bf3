// A real browser: Debian's Chromium, driven by playwright-core.
import { existsSync } from 'node:fs'
import { after } from 'node:test'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
} from 'playwright-core'

export const chromiumPath = '/usr/bin/chromium'

/** Why tests with a browser cannot run; false where they can, and in CI, where they must. */
export const skipChromium =
  existsSync(chromiumPath) || process.env.CI === 'true'
    ? false
    : 'Chromium is not installed: apt-get install chromium'

// Root has no sandbox of Chromium's, and only our own server is to be contacted.
export const chromiumArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Opens a user's browser, with cookies of its own and, unless the options say otherwise, with
 * scripts switched off; undefined where the tests are skipped. Closed after the file's tests.
 */
export async function openChromium() {
  if (skipChromium) return undefined
  const browser: Browser = await chromium.launch({
    executablePath: chromiumPath,
    args: chromiumArgs,
  })
  after(() => browser.close())
  return {
    person: (options: BrowserContextOptions = {}): Promise<BrowserContext> =>
      browser.newContext({
        javaScriptEnabled: false,
        viewport: { width: 360, height: 740 },
        locale: 'en-GB',
        ...options,
      }),
  }
}
