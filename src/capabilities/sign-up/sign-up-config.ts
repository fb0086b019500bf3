// Facts that a sign-up page shows before anybody signs up.
import Type from 'typebox'
import { anyone, operation } from '../../app.ts'
import { nullable, oneOf } from '../../kit/schema.ts'
import { longestPassword, resend_s, shortestPassword } from '../sign-in/index.ts'
import { code_ms } from './sign-up-request.ts'

export const ssoProviders = Type.Array(Type.String(), {
  description: 'Identity providers, as in the path of single sign-on; empty: there are none.',
})

export const getSignUpConfig = operation({
  name: 'get_sign_up_config',
  does: 'Read how to sign up: whether it is open, and the rules of passwords and codes.',
  at: 'GET /v1/dashboard/signup/config',
  area: 'Dashboard',
  who: anyone(),
  takes: Type.Object({}),
  gives: Type.Object(
    {
      sign_up: oneOf(['open', 'invite', 'closed'], {
        description: 'invite: operators create accounts. closed: there are no new accounts.',
      }),
      sso_providers: ssoProviders,
      password: Type.Object({
        min: Type.Integer({ description: 'Least characters.' }),
        max: Type.Integer({ description: 'Most characters.' }),
      }),
      code: Type.Object({
        length: Type.Integer({ description: 'Digits.' }),
        ttl_s: Type.Integer({ description: 'Seconds that a code is valid.' }),
        resend_after_s: Type.Integer({ description: 'Seconds until another may be requested.' }),
      }),
      terms_url: nullable(Type.String({ description: 'The terms that a sign-up accepts.' })),
      privacy_url: nullable(Type.String({ description: 'The privacy policy.' })),
    },
    { title: 'DashboardSignupConfigResponse' },
  ),
  fails: [],
  effect: 'none',
  async run(_input, _call, { settings }) {
    const { sign_up, terms_url, privacy_url } = settings
    return {
      sign_up,
      sso_providers: [],
      password: { min: shortestPassword, max: longestPassword },
      code: { length: 6, ttl_s: code_ms / 1_000, resend_after_s: resend_s },
      terms_url,
      privacy_url,
    }
  },
})
