// The HTML of the password pages.

import { longestPassword, shortestPassword } from '../../capabilities/sign-in/index.ts'
import { type Html, html } from '../../kit/html.ts'
import { problemNotice, textField } from '../../oauth/shared/form-parts.ts'
import { noticePage, type PageResponse, pageAnswer } from '../../oauth/shared/page-layout.ts'

type PasswordForm = {
  token: string
  email: string
  kind: 'setup' | 'reset'
  /** Whether the new password ends log-ins. */
  logs_out: boolean
  /** The problem of the previous submission, as a sentence. */
  problem: string | null
}

/** The form, with 200, or with 422 where it is shown again. */
export function formPage({ token, email, kind, logs_out, problem }: PasswordForm): PageResponse {
  const title = kind === 'setup' ? 'Set your password' : 'Set a new password'
  return pageAnswer({
    status: problem === null ? 200 : 422,
    title: problem === null ? title : `Error: ${title}`,
    body: html`<h1>${title}</h1>
${logs_out ? html`<p class="subtitle">You will be logged out everywhere.</p>` : null}
<form method="post" action="/password" class="stack">
<input type="hidden" name="token" value="${token}">
${problemNotice(problem)}
${textField({
  name: 'email',
  label: 'Your account',
  type: 'email',
  value: email,
  autocomplete: 'username',
  readonly: true,
})}
${passwordFields(problem !== null)}
<button class="primary">Set password</button>
</form>`,
    form_targets: ["'self'"],
  })
}

function passwordFields(isProblem: boolean): Html {
  const rules =
    `${shortestPassword} to ${longestPassword} characters of any kind; 15 or more are much ` +
    'safer. Commonly used passwords are rejected.'
  const both = {
    type: 'password',
    autocomplete: 'new-password',
    minlength: shortestPassword,
  } as const
  const first = { ...both, name: 'password', label: 'New password' }
  return html`${textField({ ...first, hint: rules, focus: isProblem })}
${textField({ ...both, name: 'again', label: 'Confirm password' })}`
}

export function donePage(): PageResponse {
  const title = 'Your password is set'
  return pageAnswer({
    status: 200,
    title,
    body: html`<h1>${title}</h1>
<div class="stack">
<p>You can now log in with it and connect apps to your account.</p>
<a class="button primary" href="/dashboard/log-in">Log in</a>
</div>`,
  })
}

/** The form that asks for the address, with 422 where it is shown again. */
export function forgottenPage({
  email,
  problem,
}: {
  email: string
  problem: boolean
}): PageResponse {
  const title = 'Reset your password'
  const words = 'Please enter the email address of your account, such as ada@example.net.'
  return pageAnswer({
    status: problem ? 422 : 200,
    title: problem ? `Error: ${title}` : title,
    body: html`<h1>${title}</h1>
<p class="subtitle">We email you a link to set a new password, also if you have none yet.</p>
<form method="post" action="/password/forgotten" class="stack">
${problemNotice(problem ? words : null)}
${textField({
  name: 'email',
  label: 'Email address of your account',
  type: 'email',
  value: email,
  autocomplete: 'username',
  maxlength: 320,
  focus: problem,
})}
<button class="primary">Send reset link</button>
</form>`,
    form_targets: ["'self'"],
  })
}

/** The page is the same whether or not an account has the address. */
export function askedPage(): PageResponse {
  const title = 'Check your email'
  return pageAnswer({
    status: 200,
    title,
    body: html`<h1>${title}</h1>
<div class="stack">
<p>If an account has that address, an email with a link is on its way. The link works for ten
minutes. Set the new password there, then continue in the other tab.</p>
<p class="small">No email? Look in the spam folder, or
<a href="/password/forgotten">use another address</a>.</p>
</div>`,
  })
}

export function deadLinkPage(): PageResponse {
  return noticePage({
    status: 403,
    title: 'This link is no longer valid',
    message: 'It was already used, was replaced by a newer one, or has expired.',
    action:
      'Request a new link where you requested this one, or contact the operator of this service.',
  })
}

/** The page after too many attempts or a failure of the service. The link stays valid. */
export function unavailablePage(status: number, retryAfter: string | undefined): PageResponse {
  const happened = 'Nothing was changed, and the link in the email stays valid.'
  return waitPage(status, { happened, again: 'open the link again', retryAfter })
}

/** The same page for a requested mail, whether or not an account has the address. */
export function notSentPage(status: number, retryAfter: string | undefined): PageResponse {
  const happened = 'No email was sent. A link from an earlier email stays valid.'
  return waitPage(status, { happened, again: 'try again', retryAfter })
}

type Wait = { happened: string; again: string; retryAfter: string | undefined }

function waitPage(status: number, { happened, again, retryAfter }: Wait): PageResponse {
  const page = noticePage({
    status,
    title: 'Please try again later',
    message: happened,
    action: `Please wait ${waitOf(retryAfter)}, then ${again}.`,
  })
  return retryAfter === undefined
    ? page
    : { ...page, headers: { ...page.headers, 'Retry-After': retryAfter } }
}

function waitOf(retryAfter: string | undefined): string {
  const seconds = Number(retryAfter ?? 60)
  return seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`
}
