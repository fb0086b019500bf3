// Reserve: money that is kept for renewals, and that no agent can spend.
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Field } from '../../components/field.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { formatMoney } from '../../lib/format.ts'
import { type Currency, useBalance, useNewReserve } from '../../lib/money/balance-queries.ts'
import { showToast } from '../../lib/toasts.ts'
import { useSubmit } from '../../lib/use-submit.ts'
import { balanceTexts } from '../../messages/balance-texts.ts'

const texts = balanceTexts.reserve

export function Reserve({ currency }: { currency: Currency }) {
  const { data } = useBalance(currency)
  const setReserve = useNewReserve()
  const { isBusy, error, problemOf, onSubmit } = useSubmit(['amount'], async (textOf) => {
    const { reserved } = await setReserve({ currency, amount: textOf('amount').trim() })
    showToast({ title: texts.done(formatMoney(reserved, currency)) })
  })
  if (!data) return null
  return (
    <Card title={texts.title} className="mt-5">
      <form className="flex flex-col gap-4 px-5 py-4" onSubmit={onSubmit} noValidate>
        <p className="text-muted">{texts.text}</p>
        <div className="flex flex-wrap items-start gap-3">
          <div className="w-40">
            <Field
              key={data.reserved}
              name="amount"
              label={texts.amount(currency)}
              inputMode="decimal"
              defaultValue={data.reserved}
              problem={problemOf('amount')}
            />
          </div>
          <Button type="submit" busy={isBusy} className="sm:mt-6.5">
            {texts.submit}
          </Button>
        </div>
        {error !== null && <ErrorNotice error={error} />}
      </form>
    </Card>
  )
}
