// The dashboard in a browser: each of its pages in both themes and at three widths, without blocked
// resources, accessibility findings or a horizontal scroll bar.
import assert from 'node:assert/strict'
import axe, { type AxeResults, type RunOnly } from 'axe-core'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'].concat(
  'experimental',
)
const all: RunOnly = { type: 'tag', values: wcag }
/** The rules that read colors. */
const ofColors: RunOnly = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

export type View = { width: number; theme: 'light' | 'dark' }

/** Another theme changes the style of every element, another width few: the theme changes once. */
const views: readonly View[] = (['light', 'dark'] as const).flatMap((theme) =>
  [360, 768, 1440].map((width) => ({ width, theme })),
)

/** A browser with scripts, for `person` of openChromium. */
export function browserOf({ width, theme }: View): BrowserContextOptions {
  return {
    javaScriptEnabled: true,
    viewport: { width, height: width < 600 ? 800 : 900 },
    colorScheme: theme,
    reducedMotion: 'reduce',
  }
}

export async function setView(page: Page, view: View): Promise<void> {
  const { viewport, colorScheme = null, reducedMotion = null } = browserOf(view)
  if (viewport) await page.setViewportSize(viewport)
  await page.emulateMedia({ colorScheme, reducedMotion })
}

const violations = new WeakMap<Page, string[]>()

/** A page that notes what the Content-Security-Policy blocks. */
export async function newPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  clearBlocked(page)
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) violations.get(page)?.push(message.text())
  })
  page.on('pageerror', (error) => violations.get(page)?.push(error.stack ?? error.message))
  return page
}

/** Checks from now on that nothing was blocked. */
export function clearBlocked(page: Page): void {
  violations.set(page, [])
}

/** Opens a path of the dashboard, and waits for its heading and its data. */
export async function openPath(page: Page, place: string, heading: string): Promise<void> {
  await page.goto(place)
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  await page.getByText('Loading', { exact: true }).first().waitFor({ state: 'detached' })
}

/**
 * The rules' findings: the element's place and its HTML. The page has none of this code unless it
 * is checked, and then once.
 */
async function scan(page: Page, rules: RunOnly): Promise<ReadonlyMap<string, string>> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source)
  // By default it reads the style sheets, for the rule on pages that do not turn with a screen.
  const options = { resultTypes: ['violations'], runOnly: rules }
  // Pages have no frames, into which it would have to be loaded, too.
  assert.equal(page.frames().length, 1, page.url())
  const { violations: found } = await page.evaluate<AxeResults>(
    `axe.run(document, ${JSON.stringify(options)})`,
  )
  return new Map(
    found.flatMap(({ id, nodes }) =>
      nodes.map(({ target, html }) => [`${id} ${target.join(' ')}`, html] as const),
    ),
  )
}

/**
 * Scans the page as it is now, with the popups that are open. A scan takes some hundred
 * milliseconds, in which a toast may close and half of its colors are gone, so a finding counts
 * only if two scans have it.
 */
export async function assertAccessible(page: Page, rules: RunOnly = all): Promise<void> {
  let findings = [...(await scan(page, rules))]
  if (findings.length > 0) {
    await page.evaluate(settled)
    const again = await scan(page, rules)
    findings = findings.filter(([place]) => again.has(place))
  }
  assert.deepEqual(findings, [], page.url())
  assert.deepEqual(violations.get(page), [], page.url())
  await assertFits(page)
}

/** The page must not scroll to the side. */
export async function assertFits(page: Page): Promise<void> {
  const overflow = await page.evaluate<number>(
    'document.documentElement.scrollWidth - window.innerWidth',
  )
  assert.ok(overflow <= 0, `${page.url()} is ${overflow} px too wide`)
}

/**
 * Waits until colors and sizes are final: Chromium applies a theme or a width with the next frames,
 * to one element after the other, and transitions run after that.
 */
export const settled = `(async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 30)))
  await frame()
  const finite = document
    .getAnimations()
    .filter((one) => one.effect.getComputedTiming().endTime < Infinity)
  // A paused animation, such as that of an element that is not rendered, never finishes.
  const longest = new Promise((done) => setTimeout(done, 1_000))
  await Promise.race([longest, Promise.allSettled(finite.map((one) => one.finished))])
  await frame()
})()`

/**
 * Checks a page whose template another page shows in its views: it is accessible, and not too wide
 * at any width. With `dark` it is also checked in the dark theme, which differs only in colors.
 */
export async function assertOfTemplate(page: Page, { dark = true } = {}): Promise<void> {
  for (const width of [1440, 768, 360]) {
    await show(page, { width, theme: 'light' })
    await assertFits(page)
  }
  await assertAccessible(page)
  if (!dark) return
  await show(page, { width: 1440, theme: 'dark' })
  await assertAccessible(page, ofColors)
}

/** Input of rules other than of colors: elements, their attributes, texts, boxes and visibility. */
const shape = `(async () => {
  const boxes = Array.from(document.querySelectorAll('body *'), (one) => {
    const { x, y, width, height } = one.getBoundingClientRect()
    return [one.checkVisibility({ visibilityProperty: true }), x, y, width, height]
  })
  const bytes = new TextEncoder().encode(document.body.innerHTML + boxes.join())
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)).toHex()
})()`

/** The number of calls in this file: every other call has the themes in the opposite order. */
let calls = 0

/**
 * Checks the page as it is now: it is accessible in both themes, in one when it is narrow and in
 * the other when it is wide, and not too wide at any width. `EVERY_VIEW=true bin/test test/browser`
 * combines each theme with each width, which takes twice as long.
 */
export async function assertViews(page: Page): Promise<void> {
  if (process.env.EVERY_VIEW === 'true') return assertEveryView(page)
  calls += 1
  const other = calls % 2 === 0
  const [first, last] = other ? (['light', 'dark'] as const) : (['dark', 'light'] as const)
  await show(page, { width: 360, theme: first })
  await assertAccessible(page)
  await show(page, { width: 768, theme: first })
  await assertFits(page)
  await show(page, { width: 1440, theme: last })
  await assertAccessible(page)
}

async function show(page: Page, view: View): Promise<void> {
  await setView(page, view)
  await page.evaluate(settled)
}

/** If a theme changes only colors, only their rules are applied again. */
async function assertEveryView(page: Page): Promise<void> {
  const shapes = new Set<string>()
  for (const view of views) {
    await show(page, view)
    const now = `${view.width} ${await page.evaluate<string>(shape)}`
    await assertAccessible(page, shapes.has(now) ? ofColors : all)
    shapes.add(now)
  }
}
