// Facts of the sign-up that a mailed link belongs to, for its page: without them the owner of the
// address could create an account with the password of somebody else, who began the sign-up.
import Type from 'typebox'
import { anyone, operation } from '../../app.ts'
import { dateTime } from '../../kit/schema.ts'
import { accountExists, codeNotValid, invitationNeeded, signUpClosed } from './faults.ts'
import { requireSignUp } from './sign-up-request.ts'
import { signUpOfLink } from './verify.ts'

export const readSignUpLink = operation({
  name: 'read_sign_up_link',
  does: 'Read which sign-up a mailed link belongs to, without using the link.',
  more:
    'Show it to the user before POST /v1/dashboard/register/verify: another person may have ' +
    'signed up with the address, and a password of their own.',
  at: 'POST /v1/dashboard/register/link',
  area: 'Dashboard',
  who: anyone(),
  takes: Type.Object({
    token: Type.String({
      minLength: 20,
      maxLength: 512,
      description: 'The token of the mailed link.',
    }),
  }),
  gives: Type.Object(
    {
      email: Type.String({ description: 'The email address of the account to be created.' }),
      created_at: dateTime('When the sign-up was begun.'),
      address: Type.String({ description: 'The network address that asked for the mail.' }),
      agent: Type.String({ description: 'The User-Agent that began the sign-up.' }),
    },
    { title: 'DashboardSignupLinkResponse' },
  ),
  fails: [signUpClosed, invitationNeeded, codeNotValid, accountExists],
  effect: 'none',
  async run({ token }, _call, app) {
    requireSignUp(app)
    const found = await signUpOfLink(app, token)
    if (!found) throw codeNotValid()
    const { email, created_at, address, agent, used_at } = found
    if (used_at !== null) throw accountExists()
    return { email, created_at: created_at.toISOString(), address, agent }
  },
})
