// Pages of one browser, each with cookies of its own, that the later tests of a file use again: to
// open another takes four times the processor time of loading a page of ours.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import type { openChromium } from '../../support/chromium.ts'
import { browserOf, clearBlocked, newPage, setView, type View } from './dashboard.ts'

export type Cookies = Parameters<BrowserContext['addCookies']>[0]
export type Opened = {
  view?: View
  /** The viewport, or none by default. */
  cookies?: Cookies | Promise<Cookies>
  /**
   * The page is never used before or again, because a test measures it, or changes something that
   * cannot be undone.
   */
  alone?: boolean
}
type Chromium = Awaited<ReturnType<typeof openChromium>>

const wide: View = { width: 1440, theme: 'light' }
const stored = 'local_storage,indexeddb,cache_storage,service_workers'

/** Opens pages of the browser, which are given back after the test and are closed with it. */
export function pagesOf(chromium: Chromium): (opened?: Opened) => Promise<Page> {
  const idle: Page[] = []
  return async ({ view = wide, cookies = [], alone = false } = {}) => {
    let page: Page | undefined
    // This runs before anything is awaited, because code that continues after a promise of another
    // test belongs to that test.
    after(async () => {
      if (alone) await page?.context().close()
      else if (page) idle.push(await reset(page))
    })
    assert.ok(chromium)
    page =
      (alone ? undefined : idle.pop()) ?? (await newPage(await chromium.person(browserOf(view))))
    await setView(page, view)
    await page.context().addCookies(await cookies)
    return page
  }
}

/** Ends what a test left: other tabs, routes, permissions, the document, and what is stored. */
async function reset(page: Page): Promise<Page> {
  const context = page.context()
  await Promise.all(context.pages().map((one) => (one === page ? undefined : one.close())))
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  page.removeAllListeners('request')
  await goBlank(page)
  await context.clearPermissions()
  await context.clearCookies()
  const cdp = await context.newCDPSession(page)
  // This clears every origin; that of the session goes with the local one.
  await cdp.send('Storage.clearDataForOrigin', { origin: '*', storageTypes: stored })
  await cdp.detach()
  clearBlocked(page)
  return page
}

/** A redirect that the test did not wait for may still be on its way. */
async function goBlank(page: Page, tries = 5): Promise<void> {
  try {
    await page.goto('about:blank')
  } catch (error) {
    if (tries === 0 || !/interrupted by another navigation/.test(String(error))) throw error
    await page.waitForTimeout(200)
    await goBlank(page, tries - 1)
  }
}
