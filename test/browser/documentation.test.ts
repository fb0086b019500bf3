// The documentation in a real Chromium: every page in both themes and at every width, tabs that
// remember the language, the filter of the navigation, and all of it readable without scripts.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { operationsIn } from '../../src/catalog.ts'
import { sitePaths } from '../../src/surfaces/documents/site/site-map.ts'
import { sampleOf } from '../shards/sampling.ts'
import { openChromium, skipChromium } from '../support/chromium.ts'
import { sharedService } from '../support/service.ts'
import {
  assertAccessible,
  assertOfTemplate,
  assertViews,
  browserOf,
  newPage,
  type View,
} from './support/dashboard.ts'
import { pagesOf } from './support/page-pool.ts'

const registrar = await sharedService({ worker: false })
const chromium = await openChromium()
const openPage = pagesOf(chromium)
const paths = sitePaths(operationsIn('sandbox'))
/** One of the pages of operations, which are made from one template. It has every method. */
const ofOperations = '/docs/operations/contacts'

async function openDocs(path: string, view?: View) {
  const page = await openPage(view && { view })
  await page.goto(`${registrar.url}${path}`)
  return page
}

async function openWithoutScripts(path: string, view: View = { width: 1440, theme: 'light' }) {
  assert.ok(chromium)
  const context = await chromium.person({ ...browserOf(view), javaScriptEnabled: false })
  after(() => context.close())
  const page = await newPage(context)
  await page.goto(`${registrar.url}${path}`)
  return page
}

/** A long list, whose entries are also made from one template. */
const errors = '/docs/errors'
const isOfTemplate = (path: string) =>
  path === errors || (path !== ofOperations && path.startsWith('/docs/operations/'))
/**
 * Besides the errors, these are the two with the most kinds of operations; others have no other
 * colors.
 */
const inBothThemes = new Set([errors, '/docs/operations/domains', '/docs/operations/billing'])

describe('each page of the documentation', { skip: skipChromium }, () => {
  for (const path of paths)
    if (!isOfTemplate(path))
      it(`at ${path} is accessible in both themes and at every width`, async () => {
        await assertViews(await openDocs(path))
      })
  for (const path of sampleOf(paths.filter(isOfTemplate), 3))
    it(`at ${path} is accessible, and fits every width`, async () => {
      await assertOfTemplate(await openDocs(path), { dark: inBothThemes.has(path) })
    })
})

describe('the menu of a phone', { skip: skipChromium }, () => {
  it('opens without a script and leads to another page', async () => {
    const page = await openWithoutScripts('/docs', { width: 360, theme: 'dark' })
    const link = page.getByRole('link', { name: 'Money', exact: true })
    assert.equal(await link.isVisible(), false)
    await page.getByRole('button', { name: 'Menu' }).click()
    await link.click()
    await page.getByRole('heading', { level: 1, name: 'Money' }).waitFor()
  })

  it('is accessible while it is open, in both themes', async () => {
    for (const theme of ['light', 'dark'] as const) {
      const page = await openDocs('/docs', { width: 360, theme })
      await page.getByRole('button', { name: 'Menu' }).click()
      await assertAccessible(page)
    }
  })
})

describe('the samples', { skip: skipChromium }, () => {
  it('are all shown without a script', async () => {
    const page = await openWithoutScripts('/docs/operations/domains')
    const section = page.locator('section', { has: page.locator('#renew_domain') })
    for (const label of ['curl', 'TypeScript', 'MCP'])
      assert.equal(
        await section.locator('.caption').getByText(label, { exact: true }).isVisible(),
        true,
        label,
      )
    assert.equal(await page.getByRole('tab').count(), 0)
  })

  it('are tabs that remember the language on the next page, and are chosen by keyboard', async () => {
    const page = await openDocs('/docs/operations/domains')
    const tabs = (id: string) => page.locator('section.operation', { has: page.locator(id) })
    const chosen = tabs('#renew_domain').getByRole('tab', { selected: true })
    assert.equal(await chosen.innerText(), 'curl')
    await chosen.press('ArrowRight')
    assert.equal(await chosen.innerText(), 'TypeScript')
    const shown = tabs('#lock_domain').getByRole('tabpanel')
    assert.match(await shown.innerText(), /await lockDomain\(/)
    await page.goto(`${registrar.url}/docs/operations/contacts`)
    const other = tabs('#create_contact').getByRole('tab', { selected: true })
    assert.equal(await other.innerText(), 'TypeScript')
  })

  it('are copied', async () => {
    const page = await openDocs('/docs/connect')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy' }).first().click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await page.evaluate<string>('navigator.clipboard.readText()')
    assert.equal(copied, `${registrar.url}/mcp`)
  })
})

describe('the filter of the navigation', { skip: skipChromium }, () => {
  it('shows the operations that it finds, and says when it finds none', async () => {
    const page = await openDocs('/docs')
    const filter = page.getByRole('searchbox', { name: 'Filter' })
    await filter.fill('auth code')
    const links = page.locator('#navigation a:visible')
    assert.deepEqual(await links.allInnerTexts(), [
      'get_transfer_auth_code',
      'regenerate_transfer_auth_code',
    ])
    await filter.fill('nothing like this')
    await page.getByText('Nothing matches.').waitFor()
    await assertAccessible(page)
    await filter.fill('')
    assert.equal(await page.getByRole('link', { name: 'Money', exact: true }).isVisible(), true)
  })
})

describe('the theme', { skip: skipChromium }, () => {
  it('is the one that the dashboard keeps', async () => {
    const page = await openDocs('/docs')
    const background = () =>
      page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
    const light = await background()
    await page.evaluate(`localStorage.setItem('theme', 'dark')`)
    await page.reload()
    assert.notEqual(await background(), light)
  })
})
