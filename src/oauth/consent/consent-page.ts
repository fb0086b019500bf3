// Log-in and consent on one page: who asks, where it leads, what it may do, what it may spend.
import { type Html, html } from '../../kit/html.ts'
import type { ClientDisplay, Destination } from '../shared/display-name.ts'
import { type PageResponse, pageAnswer } from '../shared/page-layout.ts'
import { type ScopeGroup, scopeDescription } from './scope-descriptions.ts'

/** Why the page is shown again. `limited`: wrong passwords, or too many log-ins at once. */
export type Problem =
  | { kind: 'wrong' | 'nothing_checked' | 'incomplete' | 'not_meant' }
  | { kind: 'limited'; retry_after_s: number }
/** Who is signed in: shown to them alone. `balances` as "100.00 USD". */
export type SignedIn = {
  email: string
  balances: readonly string[]
  suspended: boolean
  /** Their log-in is not enough for what is asked. */
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
  /** Scopes that have a box, in order, and those whose box is checked. */
  boxes: readonly string[]
  checked: readonly string[]
  signed_in: SignedIn | null
  /** What stands in the field before anything is typed. */
  email: string
  problem: Problem | null
}

/** The page as an answer: 200, or 422 and 429 where it is shown again with a problem. */
export function consentPage(view: ConsentView): PageResponse {
  const { problem, destination } = view
  const title = `${problem ? 'Error: ' : ''}Allow access to your account?`
  return pageAnswer({
    status: problem === null ? 200 : problem.kind === 'limited' ? 429 : 422,
    title,
    body: html`<h1>Connect a program to your account?</h1>
${problem?.kind === 'nothing_checked' ? problemText(problem, view) : null}
${asking(view)}
<form method="post" action="/oauth/authorize">
<input type="hidden" name="interaction" value="${view.interaction}">
<input type="hidden" name="csrf" value="${view.csrf}">
${groups(view)}
${view.signed_in ? signedIn(view, view.signed_in) : logIn(view)}
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

function sentenceOf(problem: Problem, known: boolean): string {
  switch (problem.kind) {
    case 'wrong':
      return known
        ? 'The password does not fit this account. Please try again.'
        : 'The e-mail address and the password do not fit together. Please try again.'
    case 'incomplete':
      return known
        ? 'Please give the password of your account: you logged in more than ten minutes ago.'
        : 'Please give the e-mail address and the password of your account.'
    case 'not_meant':
      return (
        'The program asks for another account than this one: log in with that one, or choose ' +
        'Deny and connect the program anew.'
      )
    case 'nothing_checked':
      return 'Nothing is checked. Check what the program may do, or choose Deny.'
    case 'limited':
      return (
        'There were too many tries to log in. ' +
        `Please wait ${waitOf(problem.retry_after_s)}, then try again.`
      )
  }
}

function waitOf(seconds: number): string {
  if (seconds <= 90) return `${Math.max(1, Math.ceil(seconds))} seconds`
  return `${Math.ceil(seconds / 60)} minutes`
}

function asking({ client, destination, resources, registrar }: ConsentView): Html {
  return html`<p>A program asks to use your account at Agent Registrar (${registrar}).</p>
<dl>
<dt>It calls itself, and nobody has checked the name</dt>
<dd><strong class="claimed-name"><bdi>${client.name}</bdi></strong></dd>
<dt>Your browser goes on to</dt><dd>${destinationText(destination)}</dd>
${
  client.id_host === null
    ? null
    : html`<dt>Its description is published at</dt><dd>${client.id_host}</dd>`
}
${
  client.uri === null
    ? null
    : html`<dt>Its web site, by its own word</dt><dd><bdi>${client.uri}</bdi></dd>`
}
<dt>It will work through</dt><dd>${resources.join(' and ')}</dd>
</dl>
<p>Go on only if you started this yourself, in a program that you know.</p>`
}

function destinationText({ kind, host }: Destination): Html {
  switch (kind) {
    case 'computer':
      return html`a program on this computer (${host})`
    case 'app':
      return html`an app on this computer that opens links with <bdi>${host}</bdi>`
    case 'site':
      return html`${host}`
  }
}

function groups(view: ConsentView): Html {
  return html`${section(view, 'usual', html`<fieldset><legend>It may</legend>`)}
${section(
  view,
  'spending',
  html`<fieldset class="careful"><legend>It may spend your money</legend>
<p>${spendingText(view)}</p>`,
)}
${section(
  view,
  'powerful',
  html`<fieldset class="careful"><legend>Powerful: not given unless you check it</legend>
<p>With these it can lock you out, or take away what is yours. Few programs need them.</p>`,
)}
<p class="small">It stays connected until you disconnect it, also when you log out here.</p>`
}

function section(view: ConsentView, group: ScopeGroup, opening: Html): Html | null {
  const own = view.boxes.filter((scope) => scopeDescription(scope)?.group === group)
  if (own.length === 0) return null
  return html`${opening}
${own.map((scope) => box(view, scope))}</fieldset>`
}

function spendingText({ signed_in }: ConsentView): string {
  const all = 'Without asking you again, up to the whole balance of your account'
  return signed_in ? `${all}: at present ${signed_in.balances.join(' and ')}.` : `${all}.`
}

function box({ checked }: ConsentView, scope: string): Html {
  const state = checked.includes(scope) ? html` checked` : null
  return html`<label class="box"><input type="checkbox" name="scope" value="${scope}"${state}>
<span>${scopeDescription(scope)?.words ?? scope}</span></label>
`
}

const allowAndDeny = html`<div class="buttons">
<button class="go" name="decision" value="allow">Allow</button>
<button name="decision" value="deny" formnovalidate>Deny</button>
</div>`

/** "Allow" is the first button: it is what the Enter key presses. */
function signedIn(view: ConsentView, { email, suspended, needs_password }: SignedIn): Html {
  return html`<p>Signed in as <strong>${email}</strong>.</p>
${suspended ? html`<p>This account is suspended: it can be read, not changed.</p>` : null}
${needs_password ? passwordAgain(view, email) : null}
${allowAndDeny}
<p><button class="plain" name="decision" value="switch" formnovalidate>Use another
account</button></p>`
}

/** The address stands there for password managers, and is not sent. */
function passwordAgain(view: ConsentView, email: string): Html {
  const { own, told, focus } = pageErrorOf(view)
  return html`<fieldset><legend>Your password, once more</legend>
${own && problemText(own, view)}
<p>You logged in more than ten minutes ago. That is not enough for a program that is new to your
account, or that asks for more than looking.</p>
<input type="text" class="unseen" value="${email}" autocomplete="username" readonly tabindex="-1"
 aria-hidden="true">
${passwordField(told, focus)}
${forgotten}
</fieldset>`
}

/** A problem stands where the focus is, or it would be out of sight on a phone. */
function logIn(view: ConsentView): Html {
  const { email } = view
  const { own, told, focus } = pageErrorOf(view)
  const [toEmail, toPassword] = email === '' ? [focus, null] : [null, focus]
  return html`<fieldset><legend>Log in</legend>
${own && problemText(own, view)}
<label for="email">E-mail address</label>
<input type="email" id="email" name="email" value="${email}" autocomplete="username" required
 maxlength="320"${told}${toEmail}>
${passwordField(told, toPassword)}
${forgotten}
</fieldset>
${allowAndDeny}`
}

/** In a tab of its own: this page stays good. */
const forgotten = html`<p class="small"><a href="/password/forgotten" target="_blank"
 rel="noopener">Forgotten, or none yet?</a></p>`

function pageErrorOf({ problem }: ConsentView) {
  const own = problem?.kind === 'nothing_checked' ? null : problem
  return {
    own,
    told: own && html` aria-describedby="problem"`,
    focus: own && html` autofocus`,
  }
}

function passwordField(told: Html | null, focus: Html | null): Html {
  return html`<label for="password">Password</label>
<input type="password" id="password" name="password" autocomplete="current-password"
 required${told}${focus}>`
}
