// Sends a probe through each transport by which operators are notified, and reports each outcome.
import Type from 'typebox'
import type { Posting } from '../../../adapters/chat/port.ts'
import type { Posted } from '../../../adapters/mail/port.ts'
import { type App, operation, operatorOnly } from '../../../app.ts'
import { newId } from '../../../kit/random.ts'
import { nullable, oneOf } from '../../../kit/schema.ts'
import { storeAuditRow } from '../../audit/index.ts'

const results = ['ok', 'refused', 'unreachable', 'not_configured'] as const
type Result = { result: (typeof results)[number]; detail: string | null }

const subject = 'Support: a test of this transport'
const text = 'An operator tests the notifications of support. No customer wrote.\n'

export const testSupportTransports = operation({
  name: 'test_support_transports',
  does: "Send a test notification by each transport of the operators' notifications.",
  more: 'It is sent immediately and only once, not from the outbox.',
  at: 'POST /v1/internal/support/test',
  area: 'Support',
  who: operatorOnly(),
  takes: Type.Object({}),
  gives: Type.Object(
    {
      transports: Type.Array(
        Type.Object({
          transport: oneOf(['smtp', 'webhook'] as const, {
            description:
              'The transport: smtp sends a mail to SUPPORT_EMAIL, webhook posts to ' +
              'SUPPORT_WEBHOOK_URL.',
          }),
          result: oneOf(results, {
            description:
              'ok: the server took it. refused: it did not. unreachable: no answer came. ' +
              'not_configured: a setting is missing.',
          }),
          detail: nullable(Type.String({ description: 'The reason, which contains no secret.' })),
          ms: Type.Number({ description: 'How long it took, in milliseconds.' }),
        }),
      ),
    },
    { title: 'SupportTransportTestResponse' },
  ),
  fails: [],
  effect: 'own',
  target: () => ({ target_type: 'support_transports', target: null }),
  async run(_input, call, app) {
    const transports = await Promise.all([
      timed(app, 'smtp', () => byMail(app)),
      timed(app, 'webhook', () => byWebhook(app)),
    ])
    const outcomes = Object.fromEntries(transports.map((one) => [one.transport, one.result]))
    const facts = { target_type: 'support_transports', target: null, metadata: outcomes }
    await storeAuditRow(call.sql, call.auditRow({ ...facts, status_code: 200 }))
    return { transports }
  },
})

async function timed<const T extends string>(
  { monotonic_ms }: App,
  transport: T,
  attempt: () => Promise<Result>,
) {
  const began = monotonic_ms()
  const { result, detail } = await attempt()
  return { transport, result, detail, ms: Math.round((monotonic_ms() - began) * 10) / 10 }
}

async function byMail({ mailer, settings, clock }: App): Promise<Result> {
  const { support_email: to } = settings
  if (to === null) return missing('SUPPORT_EMAIL')
  if (mailer === null) return missing('SMTP_URL')
  return mailed(
    await mailer.send({ id: newId('mail'), to, subject, text, created_at: clock.now() }),
  )
}

function mailed({ kind, message }: Posted): Result {
  switch (kind) {
    case 'sent':
      return { result: 'ok', detail: null }
    case 'refused':
    case 'delayed':
      return { result: 'refused', detail: message }
    case 'away':
    case 'unknown':
      return { result: 'unreachable', detail: message }
  }
}

async function byWebhook({ chat }: App): Promise<Result> {
  return chat === null ? missing('SUPPORT_WEBHOOK_URL') : posted(await chat.post(text))
}

function posted(posting: Posting): Result {
  switch (posting.kind) {
    case 'posted':
      return { result: 'ok', detail: null }
    case 'refused':
      return { result: 'refused', detail: posting.reason }
    case 'away':
      return { result: 'unreachable', detail: posting.reason }
  }
}

function missing(setting: string): Result {
  return { result: 'not_configured', detail: `${setting} is not set.` }
}
