// Changes a webhook: its URL, its types, whether it is enabled, its secret; and deletes it.
import Type from 'typebox'
import { operation, owner } from '../../../../app.ts'
import { nullable } from '../../../../kit/schema.ts'
import { publicUrls } from '../../../../origins.ts'
import { freshLogInNeeded, requireFreshSession } from '../../../account/index.ts'
import { limitNotHeld, requireAllDomains } from '../../../limits/index.ts'
import { callersMail, noticesLimited } from '../../../mail/index.ts'
import { eventScopeMissing, webhookNotFound, webhookNotOwn } from '../../faults.ts'
import { webhookUrlChangedEmail } from '../emails.ts'
import { newSigningSecret } from '../sending/signature.ts'
import {
  descriptionField,
  parseTypes,
  parseWebhookUrl,
  requireSeen,
  shownWebhook,
  typesField,
  urlField,
  webhook,
  webhookId,
  webhookWithSecret,
} from '../webhook.ts'
import { requireOwnWebhook, storedMaker, webhookMakerOf } from '../webhook-maker.ts'
import { changeWebhook, deleteWebhook, lockWebhook, rotateSecret } from '../webhooks.sql.ts'
import { hostOfUrl } from './create-webhook.ts'

const both_sign_ms = 86_400_000

export const updateWebhook = operation({
  name: 'update_webhook',
  does: 'Change the URL, the types or the description of a webhook, or enable or disable it.',
  more:
    'A field that is left out stays as it is. Events from the time when it was disabled are not ' +
    'sent later; GET /v1/events has them. A caller that sets another URL, or enables a webhook ' +
    'whose maker has ended, becomes its maker: a session needs a log-in within the last ten ' +
    'minutes, and a key or an app must have made the webhook.',
  at: 'PATCH /v1/webhooks/{id}',
  area: 'Events',
  who: owner('account:write'),
  takes: Type.Object({
    id: webhookId,
    url: Type.Optional(urlField),
    types: Type.Optional(typesField),
    description: Type.Optional(nullable(descriptionField)),
    enabled: Type.Optional(Type.Boolean({ description: 'False if nothing is to be sent to it.' })),
  }),
  gives: webhook,
  fails: [
    ...[freshLogInNeeded, webhookNotFound, webhookNotOwn, eventScopeMissing, limitNotHeld],
    noticesLimited,
  ],
  at_least_one_of: ['url', 'types', 'description', 'enabled'],
  effect: 'transaction',
  target: ({ id }, output) => ({
    target_type: 'webhook',
    target: id,
    metadata: output
      ? { host: hostOfUrl(output.url), types: output.types, enabled: output.enabled }
      : {},
  }),
  async run({ id, url, types, description, enabled }, call, app) {
    const { caller, customer_id, sql } = call
    const row = await sql.maybe(lockWebhook, { id, customer_id })
    if (!row) throw webhookNotFound()
    // Another URL, or another type, would show the events of hidden domains.
    if (url !== undefined || types !== undefined) requireAllDomains(caller)
    const wanted = types === undefined ? [...row.types] : parseTypes(types, call)
    // Another URL would get the events, too.
    if (url !== undefined) requireSeen(wanted, 'scopes' in caller ? caller.scopes : new Set())
    const target = url === undefined ? row.url : parseWebhookUrl(url, app.settings)
    const isOn = enabled ?? row.disabled_because === null
    const isTurned = target !== row.url
    const isRevived = isOn && row.disabled_because === 'maker_ended'
    if (isTurned || isRevived) {
      requireOwnWebhook(caller, row)
      requireFreshSession(app, call)
    }
    const changed = await sql.one(changeWebhook, {
      ...{ id, customer_id, url: target, types: wanted },
      description: description === undefined ? row.description : description || null,
      disabled_because: isOn ? null : (row.disabled_because ?? 'owner'),
      failing_since: enabled === true || url !== undefined ? null : row.failing_since,
      ...(isTurned || isRevived ? webhookMakerOf(caller) : storedMaker(row)),
    })
    const shown = shownWebhook(changed)
    const { dashboard_url } = publicUrls(app.settings)
    if (isTurned) await callersMail(call, webhookUrlChangedEmail(shown, dashboard_url))
    return shown
  },
})

export const rotateWebhookSecret = operation({
  name: 'rotate_webhook_secret',
  does:
    'Give a webhook a new secret. For a day, deliveries are signed by the replaced secrets as ' +
    'well.',
  more: 'A key or an app does so only to a webhook that it made.',
  at: 'POST /v1/webhooks/{id}/secret/rotate',
  area: 'Events',
  who: owner('account:write'),
  takes: Type.Object({ id: webhookId }),
  gives: webhookWithSecret,
  fails: [freshLogInNeeded, webhookNotFound, webhookNotOwn],
  effect: 'transaction',
  target: ({ id }, output) => ({
    target_type: 'webhook',
    target: id,
    metadata: output ? { host: hostOfUrl(output.webhook.url) } : {},
  }),
  async run({ id }, call, app) {
    const { customer_id, sql } = call
    const held = await sql.maybe(lockWebhook, { id, customer_id })
    if (!held) throw webhookNotFound()
    requireOwnWebhook(call.caller, held)
    requireFreshSession(app, call)
    const secret = newSigningSecret()
    const now = app.clock.now()
    const row = await sql.one(rotateSecret, {
      id,
      customer_id,
      sealed_secret: app.encryption.seal(secret),
      previous_until: new Date(now.getTime() + both_sign_ms),
      now,
    })
    return { webhook: shownWebhook(row), secret }
  },
})

export const removeWebhook = operation({
  name: 'delete_webhook',
  does: 'Delete a webhook: no more events are sent to it.',
  at: 'DELETE /v1/webhooks/{id}',
  area: 'Events',
  who: owner('account:write'),
  takes: Type.Object({ id: webhookId }),
  gives: Type.Null(),
  status: 204,
  fails: [webhookNotFound],
  effect: 'transaction',
  target: ({ id }) => ({ target_type: 'webhook', target: id }),
  async run({ id }, { customer_id, sql, note }) {
    const deleted = await sql.maybe(deleteWebhook, { id, customer_id })
    if (!deleted) throw webhookNotFound()
    note({ host: hostOfUrl(deleted.url) })
    return null
  },
})
