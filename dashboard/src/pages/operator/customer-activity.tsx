// The lists of a customer's profile: open orders, API keys, apps, payments, mails, actions.
import type { ReactNode } from 'react'
import type { CustomerToolProfile } from 'sdk'
import { Badge, type Tone } from '../../components/badge.tsx'
import { Card } from '../../components/card.tsx'
import { Money } from '../../components/payment/money.tsx'
import { formatAgo, formatMoment } from '../../lib/format.ts'
import { profileTexts as texts } from '../../messages/operator/customer-texts.ts'

type Profile = CustomerToolProfile

export function CustomerActivity({ profile }: { profile: Profile }) {
  const { orders, api_keys, connected_apps, payments, mails, audit_logs } = profile
  return (
    <>
      <OpenOrders orders={orders} />
      <ApiKeys keys={api_keys} />
      <ConnectedApps apps={connected_apps} />
      <Payments payments={payments} />
      <Mails mails={mails} />
      <Actions rows={audit_logs} />
    </>
  )
}

function OpenOrders({ orders }: { orders: Profile['orders'] }) {
  return (
    <ListCard title={orders.open === 0 ? texts.noOrders : texts.orders(orders.open)}>
      {orders.items.map((order) => (
        <Line
          key={order.id}
          main={order.domain}
          badge={
            <Badge tone={order.state === 'parked' ? 'warn' : 'neutral'}>
              {`${order.type}, ${order.state}`}
            </Badge>
          }
          side={<Money amount={order.amount} currency={order.currency} />}
          below={[order.alarm ?? order.error_code, formatMoment(order.created_at)]}
        />
      ))}
    </ListCard>
  )
}

function ApiKeys({ keys }: { keys: Profile['api_keys'] }) {
  return (
    <ListCard title={keys.active === 0 ? texts.noKeys : texts.keys(keys.active)}>
      {keys.items.map((key) => (
        <Line
          key={key.id}
          main={key.name ?? texts.unnamed}
          badge={key.revoked_at && <Badge tone="bad">{texts.revoked}</Badge>}
          side={<code className="font-mono text-xs">{key.key_prefix}…</code>}
          below={[lastUse(key), key.scopes.join(' ')]}
        />
      ))}
    </ListCard>
  )
}

function ConnectedApps({ apps }: { apps: Profile['connected_apps'] }) {
  return (
    <ListCard title={apps.open === 0 ? texts.noApps : texts.apps(apps.open)}>
      {apps.items.map((app) => (
        <Line
          key={app.id}
          main={app.client_name}
          side={app.redirect_host}
          below={[lastUse(app), app.scopes.join(' ')]}
        />
      ))}
    </ListCard>
  )
}

function lastUse({ last_used_at }: { last_used_at: string | null }): string {
  return last_used_at ? texts.used(formatAgo(last_used_at)) : texts.unused
}

function Payments({ payments }: { payments: Profile['payments'] }) {
  return (
    <ListCard title={payments.length === 0 ? texts.noPayments : texts.payments}>
      {payments.map((payment) => (
        <Line
          key={payment.id}
          main={<Money amount={payment.amount} currency={payment.currency} />}
          side={payment.account}
          below={[payment.id, formatMoment(payment.created_at)]}
        />
      ))}
    </ListCard>
  )
}

function Mails({ mails }: { mails: Profile['mails'] }) {
  return (
    <ListCard title={mails.length === 0 ? texts.noMails : texts.mails}>
      {mails.map((mail) => (
        <Line
          key={mail.id}
          main={mail.subject}
          badge={<Badge tone={mailTones[mail.state] ?? 'neutral'}>{mail.state}</Badge>}
          below={[mail.kind, formatMoment(mail.created_at)]}
        />
      ))}
    </ListCard>
  )
}

const mailTones: Readonly<Record<string, Tone>> = { queued: 'warn', sent: 'good', failed: 'bad' }

function Actions({ rows }: { rows: Profile['audit_logs'] }) {
  return (
    <ListCard title={rows.length === 0 ? texts.noActions : texts.actions}>
      {rows.map((row) => (
        <Line
          key={row.id}
          main={row.action}
          badge={
            row.result !== 'success' && <Badge tone="warn">{row.error_code ?? row.result}</Badge>
          }
          side={row.target ?? ''}
          below={[
            [row.actor_type, row.actor_label].filter(Boolean).join(' '),
            row.entry_point,
            formatMoment(row.created_at),
          ]}
        />
      ))}
    </ListCard>
  )
}

function ListCard({ title, children }: { title: string; children: readonly ReactNode[] }) {
  return (
    <Card title={title}>
      {children.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keyboard
        <ul tabIndex={0} className="max-h-96 divide-y divide-line overflow-y-auto">
          {children}
        </ul>
      )}
    </Card>
  )
}

type LineProps = {
  main: ReactNode
  badge?: ReactNode
  side?: ReactNode
  below: readonly (string | null)[]
}

function Line({ main, badge, side, below }: LineProps) {
  return (
    <li className="px-5 py-2.5 text-sm">
      <p className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="flex min-w-0 flex-wrap items-center gap-2">
          <span className="font-medium break-all">{main}</span>
          {badge}
        </span>
        <span className="break-all text-muted">{side}</span>
      </p>
      <p className="mt-0.5 break-words text-muted">
        {below.filter((one) => one !== null && one !== '').join(' · ')}
      </p>
    </li>
  )
}
