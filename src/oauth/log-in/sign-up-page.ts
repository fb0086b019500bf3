// Sign-up within an interaction: the page for the account's facts, then the one for the mailed
// code. The consent follows.
import { longestPassword, shortestPassword } from '../../capabilities/sign-in/index.ts'
import { type Html, html } from '../../kit/html.ts'
import { clientFacts } from '../interaction/client-facts.ts'
import { denyButton, formPage, type InteractionView } from '../interaction/interaction-form.ts'
import type { SignUpInput } from '../interaction/next-step.ts'
import type { Problem } from '../interaction/problems.ts'
import { problemNotice, textField } from '../shared/form-parts.ts'
import type { PageResponse } from '../shared/page-layout.ts'
import { type LogInWays, otherWays, type Terms, termsNote } from './log-in-page.ts'

type SignUpView = InteractionView &
  LogInWays &
  Terms & {
    input: SignUpInput
    problem: Problem | null
  }

export function signUpPage(view: SignUpView): PageResponse {
  const { problem } = view
  return formPage(view, {
    title: 'Create an account',
    subtitle: 'Then you decide about the access of the app.',
    is_problem: problem !== null,
    retry_after_s: problem?.retry_after_s ?? null,
    with_passkeys: false,
    body: html`${clientFacts(view, null)}
${problemNotice(problem?.words ?? null)}
${accountFields(view)}
${termsNote('By creating an account', view)}
<div class="buttons">
<button class="primary" name="decision" value="sign_up">Create account</button>
${denyButton}
</div>
${otherWays({ providers: view.providers, passkeys: false })}
<p class="small">Already have an account?
<button class="link" name="decision" value="show_log_in" formnovalidate>Log in</button></p>`,
  })
}

function accountFields({ input, problem }: SignUpView): Html {
  const problemOf = (name: string) => problem?.fields?.[name] ?? null
  return html`${textField({
    name: 'email',
    label: 'Email address',
    type: 'email',
    value: input.email,
    autocomplete: 'username',
    maxlength: 320,
    problem: problemOf('email'),
  })}
${textField({
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'new-password',
  minlength: shortestPassword,
  maxlength: longestPassword,
  hint: `At least ${shortestPassword} characters. 15 or more are much safer: use a few words.`,
  problem: problemOf('password'),
})}
${textField({
  name: 'name',
  label: 'Name',
  value: input.name,
  autocomplete: 'name',
  maxlength: 200,
  hint: 'Yours, or that of your team.',
  problem: problemOf('name'),
})}
${textField({
  name: 'company_name',
  label: 'Company (optional)',
  value: input.company_name,
  autocomplete: 'organization',
  required: false,
  maxlength: 200,
  problem: problemOf('company_name'),
})}`
}

type CodeView = InteractionView & {
  email: string
  /**
   * The mailbox of the sandbox, and the same without scripts, or null where the mail goes to the
   * user's own mailbox.
   */
  mailbox: { url: string; json_url: string } | null
  /** Whether another code was sent just now. */
  is_resent: boolean
  problem: Problem | null
}

export function codePage(view: CodeView): PageResponse {
  const { problem, email, mailbox } = view
  return formPage(view, {
    title: 'Check your email',
    subtitle: `We sent a code to ${email}. It is valid for ten minutes.`,
    is_problem: problem !== null,
    retry_after_s: problem?.retry_after_s ?? null,
    body: html`${problemNotice(problem?.words ?? null)}
${
  view.is_resent
    ? html`<p class="note" role="status">Another code is on its way. It replaces the earlier
one.</p>`
    : null
}
${codeField(problem)}
<div class="buttons">
<button class="primary" name="decision" value="verify">Verify</button>
<button name="decision" value="resend" formnovalidate>Send another code</button>
</div>
${
  mailbox === null
    ? null
    : html`<p class="note">This is a sandbox: <a href="${mailbox.url}" target="_blank"
 rel="noopener">its mailbox</a> shows the email.<noscript> That page needs JavaScript. Without it,
<a href="${mailbox.json_url}" target="_blank" rel="noopener">the API lists the emails</a> as JSON;
the text of each is at the same address, followed by a slash and its <code>mail_id</code>.
</noscript></p>`
}
<div class="apart">
<p>Did you open the link in the email instead, here or on another device?</p>
<button name="decision" value="confirmed" formnovalidate>I have confirmed: continue</button>
</div>
<p class="small">No email? Look in the spam folder, or
<button class="link" name="decision" value="show_sign_up" formnovalidate>use another
address</button>.</p>
<p class="small">Already have an account?
<button class="link" name="decision" value="show_log_in" formnovalidate>Log in</button></p>
<button class="link" name="decision" value="deny" formnovalidate>Do not connect the app</button>`,
  })
}

export function codeField(problem: Problem | null): Html {
  return textField({
    name: 'code',
    label: '6-digit code',
    autocomplete: 'one-time-code',
    digits: 6,
    problem: problem?.fields?.code ?? null,
    focus: true,
  })
}
