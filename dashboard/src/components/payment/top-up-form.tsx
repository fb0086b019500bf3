// Simulated top-up: chips of amounts and one button. The sandbox only; production has no such
// route.
import { useId, useState } from 'react'
import { formatMoney } from '../../lib/format.ts'
import { type Currency, useSimulatedTopUp } from '../../lib/money/balance-queries.ts'
import { balanceTexts } from '../../messages/balance.ts'
import { Button } from '../button.tsx'
import { ErrorNotice } from '../notice.tsx'
import { showToast } from '../toasts.ts'

const texts = balanceTexts.topUp

const choices = [
  { amount: '10.00', amount_cents: 1_000 },
  { amount: '50.00', amount_cents: 5_000 },
  { amount: '100.00', amount_cents: 10_000 },
  { amount: '500.00', amount_cents: 50_000 },
] as const

type Props = { currency: Currency; onDone?: () => void }

export function TopUpForm({ currency, onDone }: Props) {
  const name = useId()
  const [chosen, setChosen] = useState<(typeof choices)[number]>(choices[2])
  const { mutate, isPending, error } = useSimulatedTopUp()
  return (
    <form
      className="flex flex-wrap items-center gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (isPending) return
        mutate(
          { amount_cents: chosen.amount_cents, currency },
          {
            onSuccess: ({ amount, available }) => {
              showToast({
                title: texts.done(formatMoney(amount, currency)),
                description: texts.doneText(formatMoney(available, currency)),
              })
              onDone?.()
            },
          },
        )
      }}
    >
      <fieldset className="flex flex-wrap gap-2">
        <legend className="sr-only">{texts.amount}</legend>
        {choices.map((choice) => (
          <label
            key={choice.amount}
            className="inline-flex h-9 cursor-pointer items-center rounded-full border border-edge bg-surface px-4 font-medium tabular-nums has-checked:border-accent has-checked:bg-accent-soft has-checked:text-accent-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-ink"
          >
            <input
              type="radio"
              name={name}
              className="sr-only"
              checked={chosen === choice}
              onChange={() => setChosen(choice)}
            />
            {formatMoney(choice.amount, currency)}
          </label>
        ))}
      </fieldset>
      <Button type="submit" look="primary" busy={isPending}>
        {texts.submit(formatMoney(chosen.amount, currency))}
      </Button>
      {error && (
        <div className="w-full">
          <ErrorNotice error={error} />
        </div>
      )}
    </form>
  )
}
