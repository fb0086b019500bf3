// Facts that the dashboard shows: the URLs of this service, and the API key for MCP clients.
import Type, { type Static } from 'typebox'
import { type App, anyone, type Call, type Caller, operation, ownerInPerson } from '../../app.ts'
import { currencies } from '../../kit/money.ts'
import { nullable, oneOf } from '../../kit/schema.ts'
import { relyingPartyId } from '../../origins.ts'
import {
  customerAbsent,
  freshLogInNeeded,
  requireFreshLogIn,
  sessionRequired,
} from '../account/index.ts'
import { mcpKeyPrefix, rotateMcpKey } from '../api-keys/index.ts'
import { ssoFields, ssoProvidersOf } from './sign-up-config.ts'

const dashboardConfig = Type.Object(
  {
    environment: oneOf(['sandbox', 'production']),
    base_url: Type.String({ description: 'The root of the REST API.' }),
    mcp_url: Type.String({ description: 'The root of the MCP resource.' }),
    site_url: Type.String({ description: 'The root of the site.' }),
    currencies: Type.Array(oneOf(currencies)),
    nameservers: Type.Array(Type.String(), {
      description: 'The name servers of this service, which new domains without any others get.',
    }),
    ...ssoFields,
    passkey_rp_id: nullable(
      Type.String({
        description:
          'The relying party of passkeys (WebAuthn), which is the host at which pages can use ' +
          'them. Null if PUBLIC_URL is an IP address, so that no page can.',
      }),
    ),
    vapid_public_key: nullable(
      Type.String({
        description:
          'The applicationServerKey of web push subscriptions (Push API), or null if browsers ' +
          'get no notifications.',
      }),
    ),
    gateway: nullable(
      Type.String({ description: 'The gateway of crypto payments, or null if there is none.' }),
    ),
    processor: nullable(
      Type.String({ description: 'The processor of card payments, or null if there is none.' }),
    ),
    authenticated: Type.Boolean({ description: 'Whether the call has a session.' }),
    mcp: Type.Object({
      endpoint: Type.String({ description: 'The URL for MCP clients.' }),
      api_key_prefix: nullable(
        Type.String({
          description:
            "The first characters of the account's key for MCP clients. Null without a " +
            'session, or if the account has no such key.',
        }),
      ),
      api_key: Type.Optional(
        Type.String({ description: 'The whole key, which is shown only when it is rotated.' }),
      ),
    }),
  },
  { title: 'DashboardConfigResponse' },
)

export const getDashboardConfig = operation({
  name: 'get_dashboard_config',
  does: "Read the facts that the dashboard shows about this service and the caller's account.",
  more: 'Without a session: the public part.',
  at: 'GET /v1/dashboard/config',
  area: 'Dashboard',
  who: anyone(),
  takes: Type.Object({}),
  gives: dashboardConfig,
  fails: [],
  effect: 'none',
  async run(_input, call, app) {
    const api_key_prefix =
      call.caller.kind === 'customer' ? await mcpKeyPrefix(call.sql, call.customer_id) : null
    return configOf(app, call, { api_key_prefix })
  },
})

export const rotateDashboardKey = operation({
  name: 'rotate_mcp_api_key',
  does: 'Give the API key for MCP clients a new secret. The old one is rejected immediately.',
  more:
    'Its id, scopes, limits and their use stay. An account without such a key gets one, with the ' +
    'scopes of a key that is created without any. The log-in must be recent.',
  at: 'POST /v1/dashboard/config/mcp-api-key/rotate',
  area: 'Dashboard',
  who: ownerInPerson(),
  takes: Type.Object({}),
  gives: dashboardConfig,
  fails: [sessionRequired, freshLogInNeeded, customerAbsent],
  effect: 'transaction',
  target: (_input, output) => ({
    target_type: 'api_key',
    target: null,
    metadata: output ? { key_prefix: output.mcp.api_key_prefix } : {},
  }),
  async run(_input, call, app) {
    requireFreshLogIn(app, call)
    const { api_key, key_prefix } = await rotateMcpKey(app, call)
    return configOf(app, call, { api_key_prefix: key_prefix, api_key })
  },
})

/** The session of a customer, or of an operator whose browser asks. */
function hasSession(caller: Caller): boolean {
  return (
    caller.kind === 'customer' || (caller.kind === 'operator' && caller.session_id !== undefined)
  )
}

type Key = { api_key_prefix: string | null; api_key?: string }

function configOf(app: App, { caller }: Call, key: Key): Static<typeof dashboardConfig> {
  const { environment, base_url, mcp_url, site_url } = app.settings
  return {
    ...{ environment, base_url, mcp_url, site_url },
    currencies: [...currencies],
    nameservers: [...app.settings.default_nameservers],
    ...ssoProvidersOf(app),
    passkey_rp_id: relyingPartyId(app.settings),
    vapid_public_key: app.webPush?.public_key ?? null,
    gateway: null,
    processor: null,
    authenticated: hasSession(caller),
    mcp: { endpoint: `${mcp_url}/mcp`, ...key },
  }
}
