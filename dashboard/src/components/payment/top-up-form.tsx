// Simulated top-up: chips of amounts and one button. Only the sandbox has this route.
import { useState } from 'react'
import { formatMoney } from '../../lib/format.ts'
import { type Currency, useSimulatedTopUp } from '../../lib/money/balance-queries.ts'
import { showToast } from '../../lib/toasts.ts'
import { balanceTexts } from '../../messages/balance-texts.ts'
import { Button } from '../button.tsx'
import { ErrorNotice } from '../notice.tsx'
import { RadioChips } from './radio-chips.tsx'

const texts = balanceTexts.topUp

const choices = [
  { amount: '10.00', amount_cents: 1_000 },
  { amount: '50.00', amount_cents: 5_000 },
  { amount: '100.00', amount_cents: 10_000 },
  { amount: '500.00', amount_cents: 50_000 },
] as const

type Props = { currency: Currency; onDone?: () => void }

export function TopUpForm({ currency, onDone }: Props) {
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
      <RadioChips
        legend={texts.amount}
        value={chosen.amount}
        choices={choices.map(({ amount }) => ({
          value: amount,
          label: formatMoney(amount, currency),
        }))}
        onChange={(amount) => setChosen(choices.find((one) => one.amount === amount) ?? chosen)}
      />
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
