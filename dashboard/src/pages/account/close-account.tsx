// Closing the account: its effects, the present obstacles, and the confirmation by typing the
// address, after a new log-in if one is needed.
import { useState } from 'react'
import { closeAccount, type GetBalanceResponse } from 'sdk'
import { Link, useLocation } from 'wouter'
import { Button } from '../../components/button.tsx'
import { Callout } from '../../components/callout.tsx'
import { Card } from '../../components/card.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { ConfirmDialog } from '../../components/popups/dialog.tsx'
import { useConfirmedOwner } from '../../components/sign-in/confirm-owner.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useAccount } from '../../lib/account.ts'
import { ApiError, answerOf } from '../../lib/api.ts'
import { useDomains } from '../../lib/domains/domain-queries.ts'
import { formatMoney } from '../../lib/format.ts'
import { isZero } from '../../lib/money/amounts.ts'
import { useBalance } from '../../lib/money/balance-queries.ts'
import { topUpRoute } from '../../lib/money/top-up-paths.ts'
import { balancePath, routes } from '../../lib/routes.ts'
import { noteLoggedOut } from '../../lib/session.ts'
import { yourDataTexts } from '../../messages/account/your-data-texts.ts'

const texts = yourDataTexts.close
/** The statuses of entries in the list for which the account holds no domain. */
const not_held: readonly string[] = ['pending', 'failed', 'transferred_away']

export function CloseAccount() {
  const { email } = useAccount()
  const [, go] = useLocation()
  const [isAsked, setAsked] = useState(false)
  const { run, isBusy, error, dialog } = useConfirmedOwner()
  const found = useObstacles()
  const refused = refusedFor(error)
  const obstacles = [...found.obstacles, ...refused]
  const close = () =>
    run(async () => {
      await answerOf(closeAccount({ body: { email } })).catch((failure) => {
        setAsked(false)
        throw failure
      })
      go(routes.accountClosed, { replace: true })
      noteLoggedOut()
    })
  return (
    <Card title={texts.title}>
      <div className="flex flex-col items-start gap-4 p-5">
        <p>{texts.text}</p>
        <dl className="flex flex-col gap-3">
          {texts.effects.map(([term, effect]) => (
            <div key={term}>
              <dt className="font-medium">{term}</dt>
              <dd className="text-muted">{effect}</dd>
            </div>
          ))}
        </dl>
        {found.isPending && <Skeleton lines={2} />}
        {found.error !== null && <ErrorNotice error={found.error} />}
        {obstacles.length > 0 && <Obstacles obstacles={obstacles} />}
        {error !== null && refused.length === 0 && <ErrorNotice error={error} />}
        <p className="text-sm text-muted">{texts.exportFirst}</p>
        <Button
          look="danger"
          disabled={found.isPending || found.obstacles.length > 0}
          onClick={() => setAsked(true)}
        >
          {texts.submit}
        </Button>
      </div>
      {dialog}
      {isAsked && !dialog && (
        <ConfirmDialog
          open
          onClose={() => setAsked(false)}
          title={texts.confirm}
          description={texts.confirmText}
          name={email}
          action={texts.submit}
          busy={isBusy}
          onConfirm={() => void close()}
        />
      )}
    </Card>
  )
}

type Obstacle = { label: string; next: string; path: string }

function Obstacles({ obstacles }: { obstacles: readonly Obstacle[] }) {
  return (
    <div className="w-full">
      <Callout tone="warn" title={texts.obstacles}>
        <ul className="mt-1 flex flex-col gap-1">
          {obstacles.map(({ label, next, path }) => (
            <li key={label}>
              <Link href={path} className="font-medium underline">
                {label}
              </Link>
              . {next}
            </li>
          ))}
        </ul>
      </Callout>
    </div>
  )
}

/** The obstacles that can be read before the attempt. */
function useObstacles() {
  const domains = useDomains()
  const [dollars, euros] = [useBalance('USD'), useBalance('EUR')]
  const queries = [domains, dollars, euros]
  const count = domains.data?.filter(({ status }) => !not_held.includes(status)).length ?? 0
  const obstacles: Obstacle[] = [
    ...(count > 0
      ? [{ label: texts.domains(count), next: texts.domainsNext(count), path: routes.domains }]
      : []),
    ...[dollars.data, euros.data].flatMap((one) => (one ? moneyIn(one) : [])),
  ]
  return {
    obstacles,
    isPending: queries.some(({ isPending }) => isPending),
    error: queries.find(({ error }) => error !== null)?.error ?? null,
  }
}

function moneyIn({ currency, available, held, owed }: GetBalanceResponse): Obstacle[] {
  const path = balancePath(currency)
  const of = (amount: string) => formatMoney(amount, currency)
  const all = [
    { amount: available, label: texts.balance(of(available)), next: texts.balanceNext, path },
    { amount: held, label: texts.held(of(held)), next: texts.heldNext, path },
    { amount: owed, label: texts.owed(of(owed)), next: texts.owedNext, path: topUpRoute },
  ]
  return all.filter(({ amount }) => !isZero(amount))
}

/** The obstacles that only the refusal names. */
function refusedFor(error: unknown): Obstacle[] {
  if (!(error instanceof ApiError) || error.failure.code !== 'account_not_empty') return []
  const contents = Object(error.failure.facts.contents)
  const of = (name: string) => Number(contents[name] ?? 0)
  const all = [
    { count: of('open_orders'), label: texts.orders, next: texts.ordersNext, path: routes.home },
    { count: of('open_top_ups'), label: texts.topUps, next: texts.topUpsNext, path: topUpRoute },
    {
      count: of('parked_payments'),
      label: texts.parked,
      next: texts.parkedNext,
      path: routes.support,
    },
  ]
  return all
    .filter(({ count }) => count > 0)
    .map(({ count, label, next, path }) => ({ label: label(count), next: next(count), path }))
}
