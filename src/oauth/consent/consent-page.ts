// Login and consent on one page: the client, where the browser is redirected, the permissions, and
// how much the client could spend.
import { type Html, html } from '../../kit/html.ts'
import type { ClientDisplay, Destination } from '../shared/display-name.ts'
import { type PageResponse, pageAnswer } from '../shared/page-layout.ts'
import { type ScopeGroup, scopeDescription } from './scope-descriptions.ts'

/** Why the page is shown again. `limited`: too many failed or concurrent logins. */
export type Problem =
  | { kind: 'wrong' | 'nothing_selected' | 'incomplete' | 'other_account' }
  | { kind: 'limited'; retry_after_s: number }
/** The logged-in customer; only they are shown this. `balances` as "100.00 USD". */
export type SignedIn = {
  email: string
  balances: readonly string[]
  suspended: boolean
  /** Their login is too old, or the client too new, for what is requested. */
  needs_password: boolean
}
export type ConsentView = {
  interaction: string
  csrf: string
  /** This service, e.g. "registrar.example". */
  registrar: string
  client: ClientDisplay
  destination: Destination
  resources: readonly string[]
  /** Scopes that have a checkbox, in order, and those that are selected. */
  selectable: readonly string[]
  selected: readonly string[]
  signed_in: SignedIn | null
  /** The initial value of the field. */
  email: string
  problem: Problem | null
}

/** 200, or 422 and 429 where the page is shown again with a problem. */
export function consentPage(view: ConsentView): PageResponse {
  const { problem, destination } = view
  const title = `${problem ? 'Error: ' : ''}Connect an app to your account?`
  return pageAnswer({
    status: problem === null ? 200 : problem.kind === 'limited' ? 429 : 422,
    title,
    body: html`<h1>Connect an app to your account?</h1>
${problem?.kind === 'nothing_selected' ? problemText(problem, view) : null}
${clientFacts(view)}
<form method="post" action="/oauth/authorize">
<input type="hidden" name="interaction" value="${view.interaction}">
<input type="hidden" name="csrf" value="${view.csrf}">
${permissions(view)}
${view.signed_in ? signedIn(view, view.signed_in) : loginFields(view)}
</form>`,
    form_targets: ["'self'", destination.csp_source],
    headers:
      problem?.kind === 'limited'
        ? { 'Retry-After': String(Math.ceil(problem.retry_after_s)) }
        : {},
  })
}

function problemText(problem: Problem, { signed_in }: ConsentView): Html {
  const words = sentenceOf(problem, signed_in !== null)
  return html`<div class="problem" id="problem" role="alert">${words}</div>`
}

function sentenceOf(problem: Problem, isSignedIn: boolean): string {
  switch (problem.kind) {
    case 'wrong':
      return isSignedIn
        ? 'Incorrect password. Please try again.'
        : 'Incorrect email address or password. Please try again.'
    case 'incomplete':
      return isSignedIn
        ? 'Enter your password: you logged in more than ten minutes ago.'
        : 'Enter your email address and password.'
    case 'other_account':
      return (
        'The app requested another account. Log in with that account, or choose Deny and connect ' +
        'the app again.'
      )
    case 'nothing_selected':
      return 'Nothing is selected. Select at least one permission, or choose Deny.'
    case 'limited':
      return `Too many login attempts. Wait ${waitOf(problem.retry_after_s)}, then try again.`
  }
}

function waitOf(seconds: number): string {
  if (seconds <= 90) return `${Math.max(1, Math.ceil(seconds))} seconds`
  return `${Math.ceil(seconds / 60)} minutes`
}

/** The client's own statements are marked as such, apart from our text. */
function clientFacts({ client, destination, resources, registrar }: ConsentView): Html {
  return html`<p>An app is requesting access to your Agent Registrar account (${registrar}).</p>
<dl>
<dt>App name (not verified)</dt>
<dd><strong class="claimed-name"><bdi>${client.name}</bdi></strong></dd>
<dt>You will be redirected to</dt><dd>${destinationText(destination)}</dd>
${
  client.id_host === null
    ? null
    : html`<dt>App description published at</dt><dd>${client.id_host}</dd>`
}
${
  client.uri === null
    ? null
    : html`<dt>App website (not verified)</dt><dd><bdi>${client.uri}</bdi></dd>`
}
<dt>It will have access to</dt><dd>${resources.join(' and ')}</dd>
</dl>
<p>Continue only if you started this yourself, from an app you trust.</p>`
}

function destinationText({ kind, host }: Destination): Html {
  switch (kind) {
    case 'computer':
      return html`an app on this computer (${host})`
    case 'app':
      return html`an app on this computer that opens <bdi>${host}</bdi> links`
    case 'site':
      return html`${host}`
  }
}

function permissions(view: ConsentView): Html {
  const standard = html`<fieldset><legend>This app will be able to</legend>`
  return html`${section(view, 'standard', standard)}
${section(
  view,
  'spending',
  html`<fieldset class="careful"><legend>Spend your money</legend>
<p>${spendingText(view)}</p>`,
)}
${section(
  view,
  'sensitive',
  html`<fieldset class="careful"><legend>Sensitive permissions (off by default)</legend>
<p>With these, the app could lock you out or give away your domains. Few apps need them.</p>`,
)}
<p class="small">The app stays connected until you disconnect it, even after you log out here.</p>`
}

function section(view: ConsentView, group: ScopeGroup, opening: Html): Html | null {
  const own = view.selectable.filter((scope) => scopeDescription(scope)?.group === group)
  if (own.length === 0) return null
  return html`${opening}
${own.map((scope) => checkbox(view, scope))}</fieldset>`
}

function spendingText({ signed_in }: ConsentView): string {
  const all = 'Without asking you again, up to your full account balance'
  return signed_in ? `${all}: currently ${signed_in.balances.join(' and ')}.` : `${all}.`
}

function checkbox({ selected }: ConsentView, scope: string): Html {
  const state = selected.includes(scope) ? html` checked` : null
  return html`<label class="box"><input type="checkbox" name="scope" value="${scope}"${state}>
<span>${scopeDescription(scope)?.words ?? scope}</span></label>
`
}

/** "Allow" comes first: the Enter key presses it. */
const allowAndDeny = html`<div class="buttons">
<button class="go" name="decision" value="allow">Allow</button>
<button name="decision" value="deny" formnovalidate>Deny</button>
</div>`

function signedIn(view: ConsentView, { email, suspended, needs_password }: SignedIn): Html {
  return html`<p>Logged in as <strong>${email}</strong>.</p>
${suspended ? html`<p>This account is suspended. It can be read, but not changed.</p>` : null}
${needs_password ? confirmPassword(view, email) : null}
${allowAndDeny}
<p><button class="plain" name="decision" value="switch" formnovalidate>Use another
account</button></p>`
}

/** The address is there for password managers, and is not sent. */
function confirmPassword(view: ConsentView, email: string): Html {
  const { own, describedBy, focus } = problemAttributes(view)
  return html`<fieldset><legend>Confirm your password</legend>
${own && problemText(own, view)}
<p>You logged in more than ten minutes ago. New apps, and apps that ask for more than read access,
need your password.</p>
<input type="text" class="unseen" value="${email}" autocomplete="username" readonly tabindex="-1"
 aria-hidden="true">
${passwordField(describedBy, focus)}
${forgotPassword}
</fieldset>`
}

/** A problem is shown at the focus, or it would be out of sight on a phone. */
function loginFields(view: ConsentView): Html {
  const { email } = view
  const { own, describedBy, focus } = problemAttributes(view)
  const [toEmail, toPassword] = email === '' ? [focus, null] : [null, focus]
  return html`<fieldset><legend>Log in</legend>
${own && problemText(own, view)}
<label for="email">Email address</label>
<input type="email" id="email" name="email" value="${email}" autocomplete="username" required
 maxlength="320"${describedBy}${toEmail}>
${passwordField(describedBy, toPassword)}
${forgotPassword}
</fieldset>
${allowAndDeny}`
}

/** In a tab of its own: this page stays valid. */
const forgotPassword = html`<p class="small"><a href="/password/forgotten" target="_blank"
 rel="noopener">Forgot your password, or have none yet?</a></p>`

function problemAttributes({ problem }: ConsentView) {
  const own = problem?.kind === 'nothing_selected' ? null : problem
  return {
    own,
    describedBy: own && html` aria-describedby="problem"`,
    focus: own && html` autofocus`,
  }
}

function passwordField(describedBy: Html | null, focus: Html | null): Html {
  return html`<label for="password">Password</label>
<input type="password" id="password" name="password" autocomplete="current-password"
 required${describedBy}${focus}>`
}
