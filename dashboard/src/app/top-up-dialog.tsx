// Dialog for a simulated top-up, opened from the command palette over the current page.
import { useState } from 'react'
import { SelectRow } from '../components/forms/select.tsx'
import { TopUpForm } from '../components/payment/top-up-form.tsx'
import { Dialog } from '../components/popups/dialog.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { currencies, useCurrency } from '../lib/money/balance-queries.ts'
import { balanceTexts } from '../messages/balance-texts.ts'

const options = currencies.map((value) => ({ value, label: value }))

export default function TopUpDialog({ onClose }: { onClose: () => void }) {
  const [chosen, setChosen] = useState<string | null>(null)
  const currency = useCurrency(chosen)
  const { title, text } = balanceTexts.topUp
  return (
    <Dialog open onClose={onClose} title={title} description={text}>
      {currency === undefined ? (
        <Skeleton lines={2} />
      ) : (
        <>
          <SelectRow
            label={balanceTexts.currency}
            value={currency}
            options={options}
            onChange={setChosen}
          />
          <TopUpForm currency={currency} onDone={onClose} />
        </>
      )}
    </Dialog>
  )
}
