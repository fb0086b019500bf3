// The pages of the documentation and their order: guides, then the reference, made of the catalog.
import type { Operation } from '../../../app.ts'
import { type Html, html } from '../../../kit/html.ts'
import { areaDescription } from '../../descriptions/area-descriptions.ts'
import { byArea } from '../../descriptions/operation-docs.ts'
import { errorReference } from './error-reference.ts'
import { dnsPage } from './guide-dns.ts'
import { connectPage, startPage } from './guide-first-steps.ts'
import { frameworksPage } from './guide-frameworks.ts'
import { ownersPage } from './guide-owners.ts'
import { authenticationPage, limitsPage, moneyPage, retriesPage } from './guide-rules.ts'
import { operationSection } from './operation-section.ts'
import { type NavigationGroup, renderSitePage, type SitePage, type SiteParts } from './site-page.ts'

type PageSource = {
  path: string
  title: string
  /** The title in the navigation, where the page's own is too long for it. */
  short?: string
  summary: string
  body: (parts: SiteParts) => Html
}

const guides: readonly PageSource[] = [
  {
    path: '/docs',
    title: 'Getting started',
    summary:
      'A domain-name registrar for software agents and the people who own them: check names and ' +
      'prices, buy from a prepaid balance, manage what is held.',
    body: startPage,
  },
  {
    path: '/docs/connect',
    title: 'Connect an agent',
    summary: 'By MCP with OAuth, by MCP with an API key, or by the REST API.',
    body: connectPage,
  },
  {
    path: '/docs/frameworks',
    title: 'Recipes for frameworks',
    short: 'Frameworks',
    summary: 'Connect curl, Claude, the OpenAI Agents SDK, LangChain or the Vercel AI SDK.',
    body: frameworksPage,
  },
  {
    path: '/docs/owners',
    title: 'For owners',
    summary: 'Let an agent buy for you, within limits, and stop it at any time.',
    body: ownersPage,
  },
  {
    path: '/docs/authentication',
    title: 'Authentication and scopes',
    short: 'Authentication',
    summary: 'Who may call what: API keys, OAuth access tokens, sessions, and their scopes.',
    body: authenticationPage,
  },
  {
    path: '/docs/dns',
    title: 'DNS records',
    summary:
      'Point a name at a site and mail, move a domain here, take a change back, and let other ' +
      'programs prove certificates.',
    body: dnsPage,
  },
  {
    path: '/docs/money',
    title: 'Money',
    summary: 'The prepaid balance, price limits, holds and refunds.',
    body: moneyPage,
  },
  {
    path: '/docs/retries',
    title: 'Idempotency and retries',
    short: 'Idempotency',
    summary: 'How to repeat a request without buying twice.',
    body: retriesPage,
  },
  {
    path: '/docs/rate-limits',
    title: 'Rate limits',
    summary: 'How much a client may send, and how a response says what is left.',
    body: limitsPage,
  },
  {
    path: '/docs/errors',
    title: 'Errors',
    summary: 'Every error code with its status and the next step.',
    body: (parts) => errorReference(parts, pathOfOperation),
  },
]

/** The most read areas come first. Those that are not named here follow. */
const first_areas = [
  ...['Domains', 'Pricing', 'Contacts', 'Billing', 'API keys', 'Account and customers'],
  ...['Audit logs', 'Dashboard', 'Health', 'Sandbox'],
]

function areaPath(area: string): string {
  const slug = area.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  return `/docs/operations/${slug}`
}

function pathOfOperation({ area, name }: Operation): string {
  return `${areaPath(area)}#${name}`
}

function areasOf(operations: readonly Operation[]): [string, Operation[]][] {
  const place = (area: string) => (first_areas.indexOf(area) + 99) % 99
  return byArea(operations).toSorted(([a], [b]) => place(a) - place(b))
}

function sources(operations: readonly Operation[]): PageSource[] {
  const areas = areasOf(operations)
  return [
    ...guides,
    {
      path: '/docs/operations',
      title: 'All operations',
      summary: 'Every operation is a REST route, and those for agents are MCP tools, too.',
      body: () => overview(areas),
    },
    ...areas.map(([area, own]) => ({
      path: areaPath(area),
      title: area,
      summary: areaDescription(area) ?? 'Each operation with its parameters, examples and errors.',
      body: ({ settings }: SiteParts) => html`${own.map((one) => operationSection(one, settings))}`,
    })),
  ]
}

function overview(areas: readonly [string, Operation[]][]): Html {
  const account = areas.flatMap(([, own]) => own).find(({ name }) => name === 'get_account')
  const accountPath = account === undefined ? '/docs' : pathOfOperation(account)
  return html`<p>The examples are the requests and responses of a running service; lists in them
are cut to two
entries. Set <code>API_KEY</code>, <code>SESSION</code> or <code>OPERATOR_KEY</code> to a
credential of yours, and <code>CUSTOMER_ID</code> to the <code>id</code> that
<a href="${accountPath}"><code>get_account</code></a> returns.</p>
${areas.map(
  ([area, own]) => html`<section><h2><a href="${areaPath(area)}">${area}</a></h2>
<ul class="operations">${own.map(
    (one) =>
      html`<li><a href="${pathOfOperation(one)}"><code>${one.name}</code></a> ${one.does}</li>\n`,
  )}</ul></section>
`,
)}`
}

/** The path of every page, in the order of the navigation. */
export function sitePaths(operations: readonly Operation[]): string[] {
  return sources(operations).map(({ path }) => path)
}

/** The page at one of those paths, as text. */
export function sitePage(path: string, parts: SiteParts): string {
  const all = sources(parts.operations)
  const source = all.find((one) => one.path === path)
  if (source === undefined) throw new Error(`The documentation has no page ${path}`)
  const page: SitePage = { ...source, body: source.body(parts) }
  return renderSitePage(page, navigationOf(parts.operations))
}

function navigationOf(operations: readonly Operation[]): NavigationGroup[] {
  return [
    {
      title: 'Guides',
      links: guides.map(({ path, title, short }) => ({ path, title: short ?? title })),
    },
    {
      title: 'Operations',
      links: [
        { path: '/docs/operations', title: 'All operations' },
        ...areasOf(operations).map(([area, own]) => ({
          path: areaPath(area),
          title: area,
          links: own.map((one) => ({ path: pathOfOperation(one), title: one.name })),
        })),
      ],
    },
  ]
}
