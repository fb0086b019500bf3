// Facts that a sign-up page shows before anybody signs up.
import Type from 'typebox'
import { type App, anyone, operation } from '../../app.ts'
import { nullable, oneOf } from '../../kit/schema.ts'
import { longestPassword, resend_s, shortestPassword } from '../sign-in/index.ts'
import { code_ms } from './sign-up-request.ts'

/** The response fields of an operation that shows how to log in. */
export const ssoFields = {
  sso_providers: Type.Array(Type.String(), {
    description:
      'Identity providers, named as in the path of single sign-on. Empty if there are none.',
  }),
  // Not Type.Record: its patternProperties are of an unknown type in generated clients.
  sso_provider_names: Type.Object(
    {},
    {
      additionalProperties: Type.String(),
      description: 'The names of the providers for buttons, by provider.',
    },
  ),
}

/** The values of `ssoFields`. */
export function ssoProvidersOf({ settings: { sso_providers } }: Pick<App, 'settings'>) {
  return {
    sso_providers: sso_providers.map(({ id }) => id),
    sso_provider_names: Object.fromEntries(sso_providers.map(({ id, name }) => [id, name])),
  }
}

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
      ...ssoFields,
      password: Type.Object({
        min: Type.Integer({ description: 'The minimum number of characters.' }),
        max: Type.Integer({ description: 'The maximum number of characters.' }),
      }),
      code: Type.Object({
        length: Type.Integer({ description: 'The number of digits of a code.' }),
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
  async run(_input, _call, app) {
    const { sign_up, terms_url, privacy_url } = app.settings
    return {
      sign_up,
      ...ssoProvidersOf(app),
      password: { min: shortestPassword, max: longestPassword },
      code: { length: 6, ttl_s: code_ms / 1_000, resend_after_s: resend_s },
      terms_url,
      privacy_url,
    }
  },
})
