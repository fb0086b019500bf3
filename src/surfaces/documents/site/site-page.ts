// Layout of the documentation: header, navigation at the side (a popover on phones, which needs no
// script), the page, and links to the page before and after it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Operation } from '../../../app.ts'
import type { Settings } from '../../../config/config.ts'
import type { FaultType } from '../../../kit/fault.ts'
import { type Html, html } from '../../../kit/html.ts'
import { htmlDocument } from '../../../pages/html-document.ts'
import { staticAsset } from '../../../pages/static-asset.ts'

export type Roots = Pick<Settings, 'base_url' | 'mcp_url' | 'environment' | 'default_nameservers'>

/** The sources of all pages. */
export type SiteParts = {
  settings: Settings
  operations: readonly Operation[]
  /** The faults, which are those of the whole service unless a test says otherwise. */
  faults?: readonly FaultType[]
}

type NavigationLink = { path: string; title: string; links?: NavigationLink[] }
export type NavigationGroup = { title: string; links: NavigationLink[] }

export type SitePage = {
  path: string
  title: string
  /** One sentence, which stands under the title and serves search engines. */
  summary: string
  body: Html
}

const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8')
const siteStyle = staticAsset('docs', 'css', read('site.css'))
const siteScript = staticAsset('docs', 'js', read('site-script.js'))

/** The page as text, with its place in the navigation. */
export function renderSitePage(page: SitePage, navigation: readonly NavigationGroup[]): string {
  const { title, summary, body, path } = page
  return htmlDocument({
    title: path === '/docs' ? 'Agent Registrar documentation' : `${title} - Agent Registrar docs`,
    description: summary,
    styles: [siteStyle],
    scripts: [siteScript],
    body: html`<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="brand" href="/docs"><span class="logo" aria-hidden="true">A</span> Agent Registrar <span
class="muted">docs</span></a>
<nav class="links" aria-label="Service"><a href="/openapi.json">OpenAPI</a> <a
href="/llms.txt">llms.txt</a> <a href="/dashboard/">Dashboard</a></nav>
<button class="button menu" type="button" popovertarget="navigation">Menu</button>
</header>
<div class="columns">
${sidebar(path, navigation)}
<main id="content" tabindex="-1">
<h1>${title}</h1>
<p class="lead">${summary}</p>
${body}
${neighbours(path, navigation)}
</main>
</div>`,
  })
}

function sidebar(path: string, navigation: readonly NavigationGroup[]): Html {
  return html`<nav id="navigation" class="sidebar" popover aria-label="Documentation">
<label class="filter" hidden>Filter <input class="input" type="search" autocomplete="off"
placeholder="renew, contacts, limits"></label>
<p class="none" role="status" hidden>Nothing matches.</p>
${navigation.map(
  ({ title, links }) => html`<div class="group"><p class="group-title">${title}</p>
<ul>${links.map((link) => html`<li>${entryOf(link, path)}</li>\n`)}</ul></div>
`,
)}</nav>`
}

function entryOf({ path, title, links }: NavigationLink, open: string): Html {
  const isOpen = path === open
  const current = isOpen ? html` aria-current="page"` : null
  if (links === undefined) return html`<a href="${path}"${current}>${title}</a>`
  return html`<details${isOpen ? html` open` : null}><summary>${title}</summary>
<ul><li><a href="${path}"${current}>Overview</a></li>
${links.map((link) => html`<li><a href="${link.path}"><code>${link.title}</code></a></li>\n`)}</ul>
</details>`
}

function neighbours(path: string, navigation: readonly NavigationGroup[]): Html {
  const all = navigation.flatMap(({ links }) => links)
  const at = all.findIndex((link) => link.path === path)
  const [before, after] = [all[at - 1], all[at + 1]]
  const previous =
    before && html`<a href="${before.path}"><span>Previous</span> ${before.title}</a>`
  const next =
    after && html`<a class="next" href="${after.path}"><span>Next</span> ${after.title}</a>`
  return html`<nav class="neighbours" aria-label="Pages before and after">
${previous ?? null}${next ?? null}</nav>`
}

/**
 * The words of a caption for a block that needs a model, or a program that the tests do not have.
 */
export const notRun = 'not run by our tests'

/** Code with a caption. The script adds a button that copies it. */
export function codeBlock(label: string, code: string): Html {
  return html`<div class="code"><p class="caption">${label}</p>
<pre tabindex="0" aria-label="${label}"><code>${code}</code></pre></div>`
}

/** The same code in several languages. All are visible until the script makes tabs of them. */
export function codeSamples(samples: readonly { label: string; code: string }[]): Html {
  return html`<div
class="samples">${samples.map(({ label, code }) => codeBlock(label, code))}</div>`
}

/** A part of a page, under an anchor. */
export function section(id: string, title: string, body: Html): Html {
  return html`<section aria-labelledby="${id}">
<h2 id="${id}">${title} <a class="anchor" href="#${id}" aria-label="Link to ${title}">#</a></h2>
${body}
</section>
`
}
