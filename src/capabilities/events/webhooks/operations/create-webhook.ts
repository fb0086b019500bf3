// Creates a webhook; its secret is shown once.
import Type from 'typebox'
import { operation, owner } from '../../../../app.ts'
import { newId } from '../../../../kit/random.ts'
import { publicUrls } from '../../../../origins.ts'
import { freshLogInNeeded, requireFreshSession } from '../../../account/index.ts'
import { limitNotHeld, requireAllDomains } from '../../../limits/index.ts'
import { callersMail, noticesLimited } from '../../../mail/index.ts'
import { eventScopeMissing, tooManyWebhooks } from '../../faults.ts'
import { webhookCreatedEmail } from '../emails.ts'
import { newSigningSecret } from '../sending/signature.ts'
import {
  descriptionField,
  parseTypes,
  parseWebhookUrl,
  shownWebhook,
  typesField,
  urlField,
  webhookWithSecret,
} from '../webhook.ts'
import { webhookMakerOf } from '../webhook-maker.ts'
import { countWebhooks, deleteEndedWebhook, insertWebhook, lockOwner } from '../webhooks.sql.ts'

const most_webhooks = 10

export const createWebhook = operation({
  name: 'create_webhook',
  does: 'Create a webhook: an https URL of yours that events are sent to.',
  more:
    'Each event is a POST, signed by Standard Webhooks (webhook-id, webhook-timestamp, ' +
    'webhook-signature). Answer 2xx within 15 s; anything else is tried again for more than a ' +
    'day. The same event may come twice, with the same webhook-id. An account has at most 10 ' +
    'webhooks. A webhook that a key or an app made ends with it.',
  at: 'POST /v1/webhooks',
  area: 'Events',
  who: owner('account:write'),
  takes: Type.Object({
    url: urlField,
    types: Type.Optional(typesField),
    description: Type.Optional(descriptionField),
  }),
  gives: webhookWithSecret,
  status: 201,
  fails: [freshLogInNeeded, tooManyWebhooks, eventScopeMissing, limitNotHeld, noticesLimited],
  effect: 'transaction',
  target: ({ url }, output) => ({
    target_type: 'webhook',
    target: output?.webhook.id ?? null,
    metadata: output ? { host: hostOfUrl(url), types: output.webhook.types } : {},
  }),
  async run({ url, types, description }, call, app) {
    const { customer_id, sql } = call
    requireAllDomains(call.caller)
    const wanted = { url: parseWebhookUrl(url, app.settings), types: parseTypes(types, call) }
    requireFreshSession(app, call)
    await sql.maybe(lockOwner, { customer_id })
    const { made } = await sql.one(countWebhooks, { customer_id })
    const isFull = made >= most_webhooks
    if (isFull && (await sql.count(deleteEndedWebhook, { customer_id })) === 0)
      throw tooManyWebhooks()
    const secret = newSigningSecret()
    const row = await sql.one(insertWebhook, {
      id: newId('whk', app.clock.now().getTime()),
      customer_id,
      ...wanted,
      ...webhookMakerOf(call.caller),
      description: description ? description : null,
      sealed_secret: app.encryption.seal(secret),
    })
    const webhook = shownWebhook(row)
    const { dashboard_url } = publicUrls(app.settings)
    await callersMail(call, webhookCreatedEmail(webhook, dashboard_url))
    return { webhook, secret }
  },
})

/** The rest of a URL may hold a secret of its owner, and the audit log is permanent. */
export function hostOfUrl(url: string): string | null {
  return URL.parse(url)?.host ?? null
}
