// A real browser: Debian's Chromium, driven by playwright-core.
import { existsSync } from 'node:fs'
import { after } from 'node:test'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
} from 'playwright-core'
import { sharedBrowser } from '../shards/shared-browser.ts'

/** Debian's; the headless shell takes a third less processor time than the whole browser. */
const paths = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
export const chromiumPath = paths.find((path) => existsSync(path)) ?? '/usr/bin/chromium'

/** Why tests with a browser cannot run; false where they can, and in CI, where they must. */
export const skipChromium =
  existsSync(chromiumPath) || process.env.CI === 'true'
    ? false
    : 'Chromium is not installed: apt-get install chromium-headless-shell'

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

const launch = (): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath, args: chromiumArgs })

/**
 * A browser whose users have cookies of their own and, unless the options say otherwise, scripts
 * switched off; undefined where the tests are skipped. Their pages are closed after the file's
 * tests.
 */
export async function openChromium() {
  if (skipChromium) return undefined
  const shared = await sharedBrowser(launch)
  const browser = shared ?? (await launch())
  const people: Promise<BrowserContext>[] = []
  after(async () => {
    if (shared === null) await browser.close()
    else for (const person of people) await (await person).close()
  })
  return {
    person(options: BrowserContextOptions = {}): Promise<BrowserContext> {
      const person = browser.newContext({
        javaScriptEnabled: false,
        viewport: { width: 360, height: 740 },
        locale: 'en-GB',
        ...options,
      })
      people.push(person)
      return person
    },
  }
}
