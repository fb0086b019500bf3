// Results of a search: a row for each name, which its registry's answer fills in. The order never
// changes while answers come in, so that no row moves under the pointer.
import { type UseQueryResult, useQueries } from '@tanstack/react-query'
import type { Availability, DomainListEntry } from 'sdk'
import { Link } from 'wouter'
import { Badge, type Tone } from '../../components/badge.tsx'
import { Button, buttonClass } from '../../components/button.tsx'
import { Money } from '../../components/payment/money.tsx'
import { ApiError } from '../../lib/api.ts'
import { useDomains } from '../../lib/domains/domain-queries.ts'
import { toUnicode } from '../../lib/domains/idn.ts'
import type { Currency } from '../../lib/money/balance-queries.ts'
import { availabilityQuery } from '../../lib/money/buy-queries.ts'
import { domainPath } from '../../lib/routes.ts'
import { messageOf } from '../../lib/words/failure-words.ts'
import { buyTexts as texts } from '../../messages/buy-texts.ts'

/** The account does not hold domains of these statuses, and so may buy them again. */
const given_up: readonly DomainListEntry['status'][] = ['failed', 'transferred_away']

type State = keyof typeof texts.states

const tones: Record<State, Tone> = {
  available: 'good',
  premium: 'warn',
  no_price: 'warn',
  registered: 'neutral',
  reserved: 'neutral',
  unknown: 'bad',
  invalid: 'neutral',
  not_sold: 'neutral',
  owned: 'accent',
}

/** If `available` is null, the state is unknown, and never shown as available. */
function stateOf({ available, reason, price }: Availability): State {
  if (available === true) {
    if (price === null) return 'no_price'
    return price.premium ? 'premium' : 'available'
  }
  if (reason === 'invalid') return 'invalid'
  if (reason === 'tld_not_supported') return 'not_sold'
  if (available === null) return 'unknown'
  return reason === 'reserved' ? 'reserved' : 'registered'
}

/** `name` is the domain as people write it. */
type OnBuy = (domain: string, name: string) => void

type Props = {
  asked: string
  names: readonly string[]
  currency: Currency
  onBuy: OnBuy
}

export function Results({ asked, names, currency, onBuy }: Props) {
  const held = useDomains().data?.filter(({ status }) => !given_up.includes(status))
  const owned = new Set(held?.map(({ domain }) => domain))
  const answers = useQueries({ queries: names.map((name) => availabilityQuery(name, currency)) })
  const answered = answers.filter(({ isPending }) => !isPending).length
  const free = answers.filter(
    ({ data }) => data?.available === true && !owned.has(data.domain),
  ).length
  return (
    <section aria-labelledby="results">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-2">
        <h2 id="results" className="text-lg font-semibold break-all">
          {texts.results(asked)}
        </h2>
        <p role="status" className="text-sm text-muted">
          {texts.answered(answered, names.length, free)}
        </p>
      </div>
      <ul className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface shadow-card">
        {names.map((name, at) => {
          const answer = answers[at]
          return (
            answer && (
              <Row
                key={name}
                name={name}
                isOwned={owned.has(answer.data?.domain ?? name)}
                answer={answer}
                onBuy={onBuy}
              />
            )
          )
        })}
      </ul>
    </section>
  )
}

type RowProps = {
  name: string
  isOwned: boolean
  answer: UseQueryResult<Availability>
  onBuy: OnBuy
}

function Row({ name, isOwned, answer, onBuy }: RowProps) {
  const { data, isPending, isError, isFetching, error, refetch } = answer
  const found = data && stateOf(data)
  const state = isOwned ? 'owned' : isError ? 'unknown' : found
  const isBuyable = state === 'available' || state === 'premium'
  return (
    <li
      aria-busy={isPending}
      className="grid min-h-16 grid-cols-[1fr_auto] items-center gap-x-4 gap-y-2 px-5 py-3 sm:grid-cols-[1fr_8rem_8rem_7rem]"
    >
      <div className={`min-w-0 max-sm:col-span-2 ${isBuyable || isPending ? '' : 'text-muted'}`}>
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <span className="text-lg font-medium break-all">{data?.domain_unicode ?? name}</span>
          {state && <Badge tone={tones[state]}>{texts.states[state]}</Badge>}
        </div>
        {state && <Reason state={state} data={data} error={error} />}
      </div>
      {isPending ? (
        <span
          className="h-4 w-24 animate-pulse rounded bg-line sm:col-span-2"
          role="img"
          aria-label={texts.checking}
        />
      ) : (
        <Prices data={state === 'owned' ? undefined : data} />
      )}
      <div className="flex justify-end max-sm:col-start-2 max-sm:row-start-2">
        {isBuyable && (
          <Button
            look="primary"
            aria-label={texts.buyName(data?.domain_unicode ?? name)}
            onClick={() => onBuy(data?.domain ?? name, data?.domain_unicode ?? name)}
          >
            {texts.buy}
          </Button>
        )}
        {state === 'unknown' && (
          <Button busy={isFetching} onClick={() => void refetch()}>
            {texts.askAgain}
          </Button>
        )}
        {state === 'owned' && (
          <Link href={domainPath(data?.domain ?? name)} className={buttonClass()}>
            {texts.manage}
          </Link>
        )}
      </div>
    </li>
  )
}

type ReasonProps = { state: State; data: Availability | undefined; error: unknown }

function Reason({ state, data, error }: ReasonProps) {
  const text = reasonOf(state, data, error)
  return text && <p className="mt-0.5 text-sm text-muted">{toUnicode(text)}</p>
}

function reasonOf(state: State, data: Availability | undefined, error: unknown) {
  if (error instanceof ApiError) return messageOf(error)
  if (state === 'unknown') return texts.unknownText
  if (state === 'no_price') return texts.noPriceText
  if (state === 'reserved') return texts.reservedText
  if (state === 'invalid' || state === 'not_sold') return data?.detail
  return null
}

/**
 * The prices of the first year and of a renewal, beside each other because an expensive year often
 * follows a cheap one.
 */
function Prices({ data }: { data: Availability | undefined }) {
  if (!data?.price) return <span className="sm:col-span-2" />
  const { amount, renewal_amount, currency } = data.price
  return (
    <dl className="contents max-sm:flex max-sm:gap-6">
      <div className="sm:text-right">
        <dt className="text-xs text-muted">{texts.columns.first}</dt>
        <dd className="font-semibold">
          <Money amount={amount} currency={currency} />
        </dd>
      </div>
      <div className="sm:text-right">
        <dt className="text-xs text-muted">{texts.columns.renewal}</dt>
        <dd className={amount === renewal_amount ? 'text-muted' : 'text-warn'}>
          <Money amount={renewal_amount} currency={currency} />
        </dd>
      </div>
    </dl>
  )
}
