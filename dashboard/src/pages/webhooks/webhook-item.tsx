// One webhook of the list: its URL, its events, its state, its last delivery, and its actions.
import type { Webhook, WebhookDelivery } from 'sdk'
import { Badge, type Tone } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Switch } from '../../components/forms/switch.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { formatAgo, formatMoment } from '../../lib/format.ts'
import { showToast } from '../../lib/toasts.ts'
import { eventFamilies, webhookTexts as texts } from '../../messages/webhook-texts.ts'
import { Deliveries } from './deliveries.tsx'
import { hostOf, useDeliveries, useWebhookChanges } from './webhook-queries.ts'

export type WebhookAction = 'edit' | 'rotate' | 'remove'

type Props = { webhook: Webhook; onAsk: (action: WebhookAction) => void }

export function WebhookItem({ webhook, onAsk }: Props) {
  const { update } = useWebhookChanges()
  const { deliveries, test, redeliver } = useDeliveries(webhook)
  const host = hostOf(webhook)
  const onTest = () =>
    test.mutate(undefined, { onSuccess: () => showToast({ title: texts.testDone }) })
  const onRedeliver = (delivery: WebhookDelivery) =>
    redeliver.mutate(delivery, {
      onSuccess: () => showToast({ title: texts.deliveries.redelivered }),
    })
  const error = update.error ?? test.error ?? redeliver.error
  const list = deliveries.data?.pages.flatMap((page) => page.deliveries)
  return (
    <li
      aria-label={host}
      className="flex flex-col gap-4 rounded-xl border border-line bg-surface p-5 shadow-card"
    >
      <Head webhook={webhook} update={update} list={list} />
      <Notes webhook={webhook} />
      <Types types={webhook.types} />
      {error && <ErrorNotice error={error} />}
      <ItemButtons {...{ webhook, onAsk, onTest }} isTesting={test.isPending} />
      <Deliveries
        host={host}
        read={deliveries}
        onRedeliver={webhook.enabled ? onRedeliver : null}
      />
    </li>
  )
}

type HeadProps = {
  webhook: Webhook
  update: ReturnType<typeof useWebhookChanges>['update']
  /** The latest deliveries; undefined until they have been read. */
  list: readonly WebhookDelivery[] | undefined
}

function Head({ webhook, update, list }: HeadProps) {
  const { id, url, description, enabled } = webhook
  const host = hostOf(webhook)
  const setEnabled = (is: boolean) =>
    update.mutate(
      { id, enabled: is },
      {
        onSuccess: () =>
          showToast({
            title: is ? texts.turnedOn(host) : texts.turnedOff(host),
            undo: () => update.mutate({ id, enabled: !is }),
          }),
      },
    )
  return (
    <div className="flex items-start justify-between gap-4">
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h2 className="min-w-0 font-mono text-sm font-medium break-all">{url}</h2>
          <StateBadge webhook={webhook} />
        </div>
        {description && <p className="mt-1 break-words">{description}</p>}
        {list && <p className="mt-1 text-sm text-muted">{wordsOfLast(list)}</p>}
      </div>
      <Switch
        label={texts.switchOf(host)}
        checked={update.isPending ? (update.variables.enabled ?? enabled) : enabled}
        disabled={update.isPending}
        onChange={setEnabled}
      />
    </div>
  )
}

type ButtonsProps = Props & { isTesting: boolean; onTest: () => void }

function ItemButtons({ webhook, isTesting, onTest, onAsk }: ButtonsProps) {
  const host = hostOf(webhook)
  return (
    <div className="flex flex-wrap gap-2">
      {webhook.enabled && (
        <Button size="sm" aria-label={texts.testOf(host)} busy={isTesting} onClick={onTest}>
          {texts.test}
        </Button>
      )}
      {(['edit', 'rotate', 'remove'] as const).map((action) => (
        <Button
          key={action}
          size="sm"
          aria-label={texts[`${action}Of`](host)}
          onClick={() => onAsk(action)}
        >
          {texts[action]}
        </Button>
      ))}
    </div>
  )
}

function StateBadge({
  webhook: { enabled, disabled_because, failing_since },
}: {
  webhook: Webhook
}) {
  const { states } = texts
  const [tone, words]: [Tone, string] = enabled
    ? failing_since === null
      ? ['good', states.on]
      : ['warn', states.failing]
    : disabled_because === 'owner'
      ? ['neutral', states.owner]
      : ['bad', states.gone]
  return <Badge tone={tone}>{words}</Badge>
}

/** Notes on why the webhook is disabled, since when it fails, and until when two secrets sign. */
function Notes({ webhook }: { webhook: Webhook }) {
  const { enabled, disabled_because, failing_since, previous_secret_until, made_by } = webhook
  const isRotated = previous_secret_until !== null && Date.parse(previous_secret_until) > Date.now()
  return (
    <>
      {!enabled && disabled_because !== null && disabled_because !== 'owner' && (
        <p className="text-sm text-bad">{texts.why[disabled_because]}</p>
      )}
      {enabled && failing_since !== null && (
        <p className="text-sm text-warn">{texts.why.since(formatMoment(failing_since))}</p>
      )}
      {enabled && (made_by === 'api_key' || made_by === 'app') && (
        <p className="text-sm text-muted">{texts.madeBy[made_by]}</p>
      )}
      {isRotated && (
        <p className="text-sm text-muted">{texts.bothSign(formatMoment(previous_secret_until))}</p>
      )}
    </>
  )
}

const labels = new Map<string, string>(eventFamilies.map(({ word, label }) => [word, label]))

function Types({ types }: { types: readonly string[] }) {
  const isAll = [...labels.keys()].every((word) => types.includes(word))
  const words = isAll ? [texts.allTypes] : types.map((type) => labels.get(type) ?? type)
  return (
    <ul className="flex flex-wrap gap-1.5" aria-label={texts.form.types}>
      {words.map((word) => (
        <li key={word} className="rounded-md bg-sunken px-2 py-0.5 text-xs text-muted">
          {word}
        </li>
      ))}
    </ul>
  )
}

/** The newest delivery in words. Pending ones are left out until their first attempt. */
function wordsOfLast(deliveries: readonly WebhookDelivery[]): string {
  const { last } = texts
  const attempted = deliveries.filter((one) => one.last_attempt_at !== null)
  const [newest] = attempted.toSorted((a, b) => timeOf(b) - timeOf(a))
  if (!newest?.last_attempt_at) return deliveries.length > 0 ? last.waiting : last.none
  const ago = formatAgo(newest.last_attempt_at)
  return newest.last_error === null ? last.delivered(ago) : last.failed(ago)
}

const timeOf = ({ last_attempt_at }: WebhookDelivery) => Date.parse(last_attempt_at ?? '') || 0
