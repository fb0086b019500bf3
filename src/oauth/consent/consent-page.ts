// The consent of an owner who is logged in: the client, the destination of the browser, presets and
// single scopes, and the client's spending limit.

import { type PresetName, scopeTexts } from '../../../shared/scopes.ts'
import { withoutIncluded } from '../../app.ts'
import { type Html, html } from '../../kit/html.ts'
import type { LimitProblem } from '../app-limits/chosen-limits.ts'
import { dnsFields, dnsProblemWords, noDnsChoice } from '../app-limits/dns-limit.ts'
import { spendFields } from '../app-limits/spend-limit.ts'
import { clientFacts } from '../interaction/client-facts.ts'
import { denyButton, formPage, type InteractionView } from '../interaction/interaction-form.ts'
import type { Selection } from '../interaction/progress.ts'
import {
  type Choice,
  groupsOf,
  isPowerful,
  mayChangeRecords,
  newScopes,
  offeredPresets,
  scopeDescription,
  scopesOfPreset,
} from '../interaction/scope-descriptions.ts'
import { problemNotice } from '../shared/form-parts.ts'
import type { PageResponse } from '../shared/page-layout.ts'

/**
 * The facts of the logged-in customer, which only they are shown. `balances` are written as "100.00
 * USD".
 */
export type SignedIn = { email: string; balances: readonly string[]; suspended: boolean }
/** Why the page is shown again. */
export const consentProblems = [
  ...(['nothing_selected', 'spend_limit', 'dns_hosts', 'dns_types'] as const),
] as const satisfies readonly ('nothing_selected' | LimitProblem)[]
export type ConsentProblem = (typeof consentProblems)[number]
export type ConsentView = InteractionView & {
  resources: readonly string[]
  /** Scopes that have a checkbox, in order. */
  selectable: readonly string[]
  /** The scopes that the app has already, or null if it is not connected. */
  held: readonly string[] | null
  /** The scopes that the app has and does not request. */
  kept: readonly string[]
  selection: Selection
  signed_in: SignedIn
  problem: ConsentProblem | null
}

const problemWords: Record<ConsentProblem, string> = {
  nothing_selected: 'Nothing is selected. Select at least one permission, or choose Deny.',
  spend_limit: 'The spending limit is not an amount.',
  ...dnsProblemWords,
}

/** The page, with 200, or with 422 where it is shown again with a problem. */
export function consentPage(view: ConsentView): PageResponse {
  const { problem, signed_in } = view
  return formPage(view, {
    title: 'Connect an app to your account?',
    subtitle: html`An app is requesting access to your Agent Registrar account (${view.registrar}).
Continue only if you started this yourself, from an app you trust.`,
    is_problem: problem !== null,
    body: html`${problemNotice(problem && problemWords[problem])}
${clientFacts(view, moreFacts(view))}
${connectedNote(view)}
${view.selectable.length === 0 ? identityOnly : permissions(view)}
${view.selectable.includes('domains:purchase') ? spendLimit(view) : null}
${mayChangeRecords(view.selectable) ? dnsLimit(view) : null}
${signed_in.suspended ? suspendedNote : null}
<p class="small">The app stays connected until you disconnect it, even after you log out here.</p>
<div class="buttons">
<button class="primary" name="decision" value="allow">Allow</button>
${denyButton}
</div>
<div class="who"><p>Logged in as <strong>${signed_in.email}</strong>.</p>
<button class="link" name="decision" value="switch" formnovalidate>Not you? Use another
account</button></div>`,
  })
}

const identityOnly = html`<p>It can identify your account and do nothing else.</p>`
const suspendedNote = html`<p class="warning">This account is suspended. The app can read it, but
cannot change it.</p>`

function moreFacts({ client, resources }: ConsentView): Html {
  return html`<details><summary>More about this app</summary><dl>
${
  client.id_host === null
    ? null
    : html`<div><dt>App description published at</dt><dd>${client.id_host}</dd></div>`
}
${
  client.uri === null
    ? null
    : html`<div><dt>App website (not verified)</dt><dd><bdi>${client.uri}</bdi></dd></div>`
}
<div><dt>It will have access to</dt><dd>${resources.join(' and ')}</dd></div>
</dl></details>`
}

/** The boxes follow the presets as siblings: CSS of every browser shows them for "custom" alone. */
function permissions(view: ConsentView): Html {
  return html`<fieldset><legend>What may this app do?</legend>
${connectedChoices(view)}
${offeredPresets(view).map((name) => preset(view, name))}
${customChoice(view)}
<div class="scopes">
<p class="small">The app gets only the permissions that are ticked.</p>
${groupsOf(view).map((group) => scopeGroup(view, group))}
</div>
</fieldset>`
}

const requestsMore = 'This app is already connected. It requests these new permissions:'
const keepsMore = 'It keeps these permissions, which it does not request now:'

/** Without this note, a request for one more scope would look like the first one. */
function connectedNote(view: ConsentView): Html | null {
  if (view.held === null) return null
  const added = newScopes(view)
  const is =
    added.length === 0
      ? html`<p>This app is already connected. It requests nothing new.</p>`
      : html`<p>${requestsMore}</p>${listed(added)}`
  const { kept } = view
  return html`<div class="note">${is}
<p>Permissions that you do not allow here are withdrawn from its earlier connections, too.</p>
${keptNote(kept)}</div>`
}

function keptNote(kept: readonly string[]): Html | null {
  if (kept.length === 0) return null
  return html`<p>${keepsMore}</p>${listed(kept)}`
}

function listed(scopes: readonly string[]): Html {
  return html`
<ul>${scopes.map((scope) => html`<li>${scopeDescription(scope)?.words ?? scope}</li>`)}</ul>`
}

function connectedChoices(view: ConsentView): Html | null {
  const { held, selection } = view
  if (held === null) return null
  const added = newScopes(view)
  const radio = (name: Choice, words: Html) => html`<input type="radio" name="preset"
 id="preset-${name}" value="${name}"${selection.preset === name ? html` checked` : null} required>
<label class="choice" for="preset-${name}">${words}</label>
`
  return html`${
    held.length === 0
      ? null
      : radio('keep', html`<strong>Keep current access</strong> It gets nothing new.`)
  }${
    added.length === 0
      ? null
      : radio(
          'extend',
          html`<strong>Allow the whole request</strong>
It keeps its current access and gets the new permissions${addedMarks(added)}`,
        )
  }`
}

function addedMarks(added: readonly string[]): Html {
  return html`.${added.some(isPowerful) ? powerful : null}${
    added.includes('domains:purchase') ? spending : null
  }`
}

function preset(view: ConsentView, name: PresetName): Html {
  const { label } = scopeTexts.presets[name]
  const text = presetText(view, name)
  const isSpending = scopesOfPreset(view, name).includes('domains:purchase')
  const state = view.selection.preset === name ? html` checked` : null
  return html`<input type="radio" name="preset" id="preset-${name}" value="${name}"${state}>
<label class="choice" for="preset-${name}"><strong>${label}</strong>
${text}${isSpending ? spending : null}</label>
`
}

/** The text of a preset. It names requested scopes only, because no preset gives more. */
function presetText({ selectable }: ConsentView, name: PresetName): string {
  if (name === 'buy') return scopeTexts.presets.buy.text
  const seesDomains = selectable.includes('domains:read')
  if (name === 'dns' && !seesDomains) return 'Changes DNS records, and nothing else.'
  if (name === 'dns') return scopeTexts.presets.dns.text
  if (name === 'read') return 'Sees the data that it requested, and changes nothing.'
  const changes = withoutIncluded(selectable).flatMap((scope) => changed[scope] ?? [])
  return `Also ${listing.format(changes)}. It buys nothing.`
}

const listing = new Intl.ListFormat('en')

const changed: Readonly<Record<string, string>> = {
  'contacts:write': 'changes contacts',
  'domains:write': 'changes domains',
  'dns:write': 'changes DNS records',
  'support:write': 'writes to support',
}

function customChoice({ selection }: ConsentView): Html {
  const state = selection.preset === null ? html` checked` : null
  return html`<input type="radio" name="preset" id="preset-custom" value="custom"${state}>
<label class="choice" for="preset-custom"><strong>${scopeTexts.custom}</strong>
You choose each permission.</label>
`
}

const spending = html` <span class="spends">It does so without asking you again, up to the
spending limit below.</span>`

function spendLimit({ selection, signed_in, problem }: ConsentView): Html {
  const { balances } = signed_in
  return spendFields({ choice: selection.spend, balances, is_problem: problem === 'spend_limit' })
}

function dnsLimit({ selection, problem }: ConsentView): Html {
  const isOfDns = problem === 'dns_hosts' || problem === 'dns_types'
  return dnsFields(selection.dns ?? noDnsChoice, isOfDns ? problem : null)
}

/** The groups are always open, so that ticked boxes are seen. */
function scopeGroup(view: ConsentView, [name, scopes]: ReturnType<typeof groupsOf>[number]): Html {
  return html`<div class="group" role="group" aria-labelledby="group-${name}">
<strong id="group-${name}">${scopeTexts.groups[name]}</strong>
${scopes.map((scope) => checkbox(view, scope))}</div>
`
}

function checkbox(view: ConsentView, scope: string): Html {
  const state = view.selection.scopes.includes(scope) ? html` checked` : null
  return html`<label class="box"><input type="checkbox" name="scope" value="${scope}"${state}>
<span>${scopeDescription(scope)?.words ?? scope}${
    scope === 'domains:purchase' ? spending : null
  }${isPowerful(scope) ? powerful : null}</span></label>
`
}

const powerful = html` <span class="badge">${scopeTexts.sensitive}</span> <span class="small">With
this, the app could lock you out or give away your domains. Few apps need it.</span>`
