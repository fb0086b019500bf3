// Confirmation of a link: an account has the verified address of an identity already, and its owner
// shows that it is theirs, with the password or a mailed code.
import { html } from '../../kit/html.ts'
import { denyButton, formPage, type InteractionView } from '../interaction/interaction-form.ts'
import type { Problem } from '../interaction/problems.ts'
import type { OpenLink } from '../interaction/progress.ts'
import { problemNotice, textField } from '../shared/form-parts.ts'
import type { PageResponse } from '../shared/page-layout.ts'
import { codeField } from './sign-up-page.ts'

type LinkView = InteractionView & {
  link: Pick<OpenLink, 'email' | 'methods' | 'code_sent'>
  provider_name: string
  problem: Problem | null
}

const sendCode = (isAgain: boolean) => (isAgain ? 'Send another code' : 'Send a code by email')

export function linkPage(view: LinkView): PageResponse {
  const { link, provider_name, problem } = view
  const { code_sent, email } = link
  const with_password = link.methods.includes('password') && !code_sent
  return formPage(view, {
    title: 'You already have an account',
    subtitle: html`An account has the address ${email} of ${provider_name}. Confirm once that it is
yours; then ${provider_name} logs you in to it.`,
    is_problem: problem !== null,
    retry_after_s: problem?.retry_after_s ?? null,
    body: html`${problemNotice(problem?.words ?? null)}
${code_sent ? codeField(problem) : null}
${
  with_password
    ? textField({
        name: 'password',
        label: 'Password of the account',
        type: 'password',
        autocomplete: 'current-password',
      })
    : null
}
<div class="buttons">
${
  code_sent || with_password
    ? html`<button class="primary" name="decision" value="link">Confirm</button>`
    : null
}
${denyButton}
</div>
<div class="apart">
<button name="decision" value="link_code" formnovalidate>${sendCode(code_sent)}</button>
</div>
<button class="link" name="decision" value="show_log_in" formnovalidate>Log in another
way</button>`,
  })
}
