// Lists, adds and removes the browsers that get a web push for each request that waits, by the
// owner in person: GET, POST and DELETE /v1/account/push-subscriptions. A message approves nothing.
import Type from 'typebox'
import type { WebPush } from '../../../adapters/push/port.ts'
import { type App, type Call, operation, ownerInPerson } from '../../../app.ts'
import { notConfigured } from '../../../errors/faults.ts'
import { hashSecret, newId } from '../../../kit/random.ts'
import { lockCustomer, sessionRequired } from '../../account/index.ts'
import { pushSubscriptionNotFound } from '../faults.ts'
import {
  most_subscriptions,
  readSubscription,
  shownSubscription,
  subscriptionFields,
  subscriptionId,
  subscriptionShape,
} from './push-subscription.ts'
import {
  deleteSubscription,
  endOldestSubscriptions,
  pushSubscriptions,
  putSubscription,
} from './push-subscriptions.sql.ts'

const at = '/v1/account/push-subscriptions'
const common = { area: 'Approvals', who: ownerInPerson() } as const

/** Throws notConfigured. */
function webPushOf({ webPush }: Pick<App, 'webPush'>): WebPush {
  if (webPush === null) throw notConfigured({ detail: 'Web push is not configured.' })
  return webPush
}

/** Throws sessionRequired, which the pipeline has checked already. */
function sessionOf({ caller }: Call): bigint {
  if (caller.kind !== 'customer') throw sessionRequired()
  return caller.session_id
}

export const listPushSubscriptions = operation({
  ...common,
  name: 'list_push_subscriptions',
  does: 'List the browsers that are notified of requests that wait for the owner.',
  at: `GET ${at}`,
  takes: Type.Object({}),
  gives: Type.Object(
    {
      public_key: Type.String({
        description: 'The applicationServerKey for a subscription: P-256, uncompressed, base64url.',
      }),
      push_subscriptions: Type.Array(subscriptionShape),
    },
    { title: 'PushSubscriptionList' },
  ),
  fails: [sessionRequired, notConfigured],
  effect: 'none',
  async run(_input, call, app) {
    const { public_key } = webPushOf(app)
    const { sql, customer_id } = call
    const of = { customer_id, public_key, limit: most_subscriptions }
    const rows = await sql.run(pushSubscriptions, of)
    const session_id = sessionOf(call)
    return {
      public_key,
      push_subscriptions: rows.map((row) => shownSubscription(row, session_id)),
    }
  },
})

export const createPushSubscription = operation({
  ...common,
  name: 'create_push_subscription',
  does: 'Notify a browser of each request that waits for the owner.',
  more:
    'Send the fields of its PushSubscription (Push API), made with public_key. The notification ' +
    'has the domain and opens the request, where only the session of the owner approves. It ends ' +
    'with this session. The same endpoint again is the same subscription. Of more than 10, the ' +
    'oldest are removed.',
  at: `POST ${at}`,
  takes: Type.Object(subscriptionFields),
  gives: subscriptionShape,
  status: 201,
  fails: [sessionRequired, notConfigured],
  effect: 'transaction',
  target: (_input, output) => ({
    target_type: 'push_subscription',
    target: output?.id ?? null,
    metadata: output ? { service: output.service } : {},
  }),
  async run(input, call, app) {
    const { public_key } = webPushOf(app)
    const { sql, customer_id, user_agent: agent } = call
    const subscription = readSubscription(input, app.settings)
    const endpoint_hash = hashSecret(subscription.endpoint)
    await lockCustomer(sql, customer_id)
    const keep = most_subscriptions - 1
    await sql.count(endOldestSubscriptions, { customer_id, endpoint_hash, keep })
    const now = app.clock.now()
    const session_id = sessionOf(call)
    const row = await sql.maybe(putSubscription, {
      ...{ id: newId('psb', now.getTime()), customer_id, session_id },
      ...{ endpoint_hash, public_key, agent, created_at: now },
      sealed: app.encryption.seal(JSON.stringify(subscription)),
      service: new URL(subscription.endpoint).host,
    })
    if (!row) throw sessionRequired()
    return shownSubscription(row, session_id)
  },
})

export const deletePushSubscription = operation({
  ...common,
  name: 'delete_push_subscription',
  does: 'Stop notifying a browser.',
  at: `DELETE ${at}/{id}`,
  takes: Type.Object({ id: subscriptionId }),
  gives: Type.Null(),
  status: 204,
  fails: [sessionRequired, pushSubscriptionNotFound],
  effect: 'transaction',
  target: ({ id }) => ({ target_type: 'push_subscription', target: id }),
  async run({ id }, { sql, customer_id, note }) {
    const deleted = await sql.maybe(deleteSubscription, { id, customer_id })
    if (!deleted) throw pushSubscriptionNotFound()
    note({ service: deleted.service })
    return null
  },
})
