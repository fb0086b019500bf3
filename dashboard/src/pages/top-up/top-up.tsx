// Top-up: the amount and the method, then the progress of the payment. The URL names the payment,
// so that the page survives a reload.
import { useSearchParams } from 'wouter'
import { ErrorNotice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useCurrency } from '../../lib/money/balance-queries.ts'
import { useTopUpMethods } from '../../lib/money/top-up-queries.ts'
import { topUpTexts as texts } from '../../messages/money/top-up-texts.ts'
import { CardProgress } from './card-progress.tsx'
import { CheckoutProgress } from './checkout-progress.tsx'
import { OpenTopUps } from './open-top-ups.tsx'
import { TopUpOptions } from './top-up-options.tsx'

export default function TopUpPage() {
  const [search] = useSearchParams()
  const checkout = search.get('checkout')
  if (checkout?.startsWith('ctp_')) return <CardProgress key={checkout} id={checkout} />
  if (checkout !== null) return <CheckoutProgress key={checkout} id={checkout} />
  return <NewTopUp asked={search.get('currency')} amount={search.get('shortfall')} />
}

function NewTopUp({ asked, amount }: { asked: string | null; amount: string | null }) {
  const currency = useCurrency(asked)
  const methods = useTopUpMethods()
  return (
    <>
      <PageHeader title={texts.title} subtitle={texts.subtitle} />
      {methods.isError && (
        <ErrorNotice error={methods.error} onRetry={() => void methods.refetch()} />
      )}
      {(methods.isPending || currency === undefined) && <Skeleton lines={8} />}
      {methods.data && currency !== undefined && (
        <TopUpOptions methods={methods.data} currency={currency} amount={amount} />
      )}
      <OpenTopUps />
    </>
  )
}
