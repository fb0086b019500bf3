// The log-in of an interaction, on a page of its own before the consent: by password, through an
// identity provider, with a passkey, or as the account that is logged in to the dashboard.
import { type Html, html } from '../../kit/html.ts'
import { clientFacts } from '../interaction/client-facts.ts'
import { denyButton, formPage, type InteractionView } from '../interaction/interaction-form.ts'
import type { Problem } from '../interaction/problems.ts'
import { problemNotice, textField } from '../shared/form-parts.ts'
import type { PageResponse } from '../shared/page-layout.ts'

export type LogInWays = {
  /** The identity providers that the page offers. */
  providers: readonly { id: string; name: string }[]
  passkeys: boolean
}
/** The links to terms and privacy policy, each null if the service has none. */
export type Terms = { terms_url: string | null; privacy_url: string | null }
export type LogInView = InteractionView &
  LogInWays &
  Terms & {
    /** The initial value of the field. */
    email: string
    can_sign_up: boolean
    problem: Problem | null
  }

const aboutApp = (view: InteractionView) =>
  html`An app is requesting access to your Agent Registrar account (${view.registrar}). After
the log-in you decide about its access.`

/** The page, with 200, or with 422 or 429 where it is shown again with a problem. */
export function logInPage(view: LogInView): PageResponse {
  const { problem, email } = view
  return formPage(view, {
    title: 'Log in to connect an app',
    subtitle: aboutApp(view),
    is_problem: problem !== null,
    retry_after_s: problem?.retry_after_s ?? null,
    with_passkeys: view.passkeys,
    body: html`${clientFacts(view, null)}
${problemNotice(problem?.words ?? null)}
${textField({
  name: 'email',
  label: 'Email address',
  type: 'email',
  value: email,
  autocomplete: 'username',
  maxlength: 320,
  focus: problem !== null && email === '',
})}
${passwordField(problem !== null && email !== '')}
<div class="buttons">
<button class="primary" name="decision" value="log_in">Log in</button>
${denyButton}
</div>
${forgotPassword}
${otherWays(view)}
${
  view.can_sign_up && view.providers.length > 0
    ? termsNote('If that creates an account,', view)
    : null
}
${
  view.can_sign_up
    ? html`<p class="small">No account yet?
<button class="link" name="decision" value="show_sign_up" formnovalidate>Create an account</button>
</p>`
    : null
}`,
  })
}

type ConfirmView = InteractionView &
  LogInWays & {
    email: string
    has_password: boolean
    problem: Problem | null
  }

/**
 * The page for an owner who is known, but logged in too long ago for the access that the app
 * requests.
 */
export function confirmPage(view: ConfirmView): PageResponse {
  const { problem, email } = view
  return formPage(view, {
    title: 'Confirm that it is you',
    subtitle: html`You logged in more than ten minutes ago. New apps, and apps that ask for more
than read access, need you to log in again.`,
    is_problem: problem !== null,
    retry_after_s: problem?.retry_after_s ?? null,
    with_passkeys: view.passkeys,
    body: html`${clientFacts(view, null)}
<p>Logged in as <strong>${email}</strong>.</p>
${problemNotice(problem?.words ?? null)}
${view.has_password ? confirmPassword(view) : html`<div class="buttons">${denyButton}</div>`}
${otherWays(view)}
<button class="link" name="decision" value="switch" formnovalidate>Not you? Use another
account</button>`,
  })
}

/** The address is there for password managers, and is not sent. */
function confirmPassword({ email, problem }: ConfirmView): Html {
  return html`<input type="text" class="unseen" value="${email}" autocomplete="username" readonly
 tabindex="-1" aria-hidden="true">
${passwordField(problem !== null)}
<div class="buttons">
<button class="primary" name="decision" value="log_in">Confirm</button>
${denyButton}
</div>
${forgotPassword}`
}

/**
 * The page asks for a click, because the browser may be logged in to the account of somebody else.
 */
export function continueAsPage(view: InteractionView & { email: string }): PageResponse {
  return formPage(view, {
    title: 'Connect an app to your account?',
    subtitle: aboutApp(view),
    body: html`${clientFacts(view, null)}
<p>You are logged in to the dashboard as <strong>${view.email}</strong>.</p>
<button class="primary" name="decision" value="continue">Continue as ${view.email}</button>
<div class="buttons">
<button name="decision" value="switch">Use another account</button>
${denyButton}
</div>`,
  })
}

function passwordField(focus: boolean): Html {
  return textField({
    name: 'password',
    label: 'Password',
    type: 'password',
    autocomplete: 'current-password',
    focus,
  })
}

/** The link opens a tab of its own, so that this page stays valid. */
export const forgotPassword = html`<p class="small"><a href="/password/forgotten" target="_blank"
 rel="noopener">Forgot your password, or have none yet?</a></p>`

/** The note stands beside every button that may create an account. */
export function termsNote(start: string, { terms_url, privacy_url }: Terms): Html | null {
  if (terms_url === null) return null
  const other = (href: string, text: string) =>
    html`<a href="${href}" target="_blank" rel="noreferrer">${text}</a>`
  const privacy =
    privacy_url === null ? null : html` and the ${other(privacy_url, 'privacy policy')}`
  return html`<p class="small">${start} you accept the ${other(terms_url, 'terms')}${privacy}.</p>`
}

/** The passkey's part is shown by its script. */
export function otherWays({ providers, passkeys }: LogInWays): Html | null {
  if (providers.length === 0 && !passkeys) return null
  return html`<div class="apart"${providers.length === 0 ? html` id="passkey" hidden` : null}>
${providers.map(
  ({ id, name }) => html`<button name="decision" value="sso:${id}" formnovalidate>Continue with
${name}</button>
`,
)}${passkeys ? passkeyPart(providers.length === 0) : null}</div>`
}

function passkeyPart(isAlone: boolean): Html {
  const inside = html`<input type="hidden" name="credential" value="">
<p class="problem" role="alert" hidden>No passkey was used. Try again, or log in another way.</p>
<button name="decision" value="passkey" formnovalidate>Continue with a passkey</button>`
  return isAlone ? inside : html`<div id="passkey" class="buttons" hidden>${inside}</div>`
}
