// Payment details: the QR code, the exact amount, the address, and the remaining time.

import { buttonClass } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { PartPlace } from '../../components/part-place.tsx'
import { restOf } from '../../lib/money/amounts.ts'
import type { Checkout } from '../../lib/money/top-up-queries.ts'
import { lazyPart } from '../../lib/parts/lazy-part.ts'
import { useCountdown } from '../../lib/use-countdown.ts'
import { topUpTexts } from '../../messages/money/top-up-texts.ts'

const QrCode = lazyPart(() => import('../../components/payment/qr-code.tsx'))
const texts = topUpTexts.pay

export function PaymentDetails({ checkout }: { checkout: Checkout }) {
  const { asset, network, pay_amount, pay_address, payment_uri, page_url } = checkout
  if (asset === null || network === null || pay_address === null || pay_amount === null) return null
  const rest = restOf(pay_amount, checkout.received_amount ?? '0')
  if (rest === null) return null
  // The QR code and the link ask for the whole amount.
  const uri = rest === restOf(pay_amount, '0') ? payment_uri : null
  return (
    <div className="flex flex-col gap-6 p-5 lg:flex-row">
      {uri !== null && (
        <div className="flex size-52 shrink-0 max-lg:self-center">
          <PartPlace>
            <QrCode text={uri} label={texts.scan(asset, network)} />
          </PartPlace>
        </div>
      )}
      <div className="flex min-w-0 grow flex-col gap-4">
        <dl className="flex flex-col gap-4">
          <Copied label={uri === null ? texts.rest : texts.exact} value={rest} unit={asset} />
          <Copied label={texts.address} value={pay_address} />
        </dl>
        <TimeLeft expires_at={checkout.expires_at} />
        <p className="flex flex-wrap gap-2">
          {page_url !== null && (
            <a href={page_url} target="_blank" rel="noreferrer" className={buttonClass('primary')}>
              {texts.page}
            </a>
          )}
          {uri !== null && (
            <a href={uri} className={buttonClass()}>
              {texts.uri}
            </a>
          )}
        </p>
      </div>
    </div>
  )
}

function Copied({ label, value, unit }: { label: string; value: string; unit?: string }) {
  return (
    <div>
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="flex items-center gap-2">
        <code className="font-mono text-base font-semibold break-all">{value}</code>
        {unit && <span className="font-medium">{unit}</span>}
        <CopyButton text={value} />
      </dd>
    </div>
  )
}

function TimeLeft({ expires_at }: { expires_at: string }) {
  const left_s = useCountdown(Date.parse(expires_at), 0)
  const minutes = `${Math.floor(left_s / 60)}:${String(left_s % 60).padStart(2, '0')}`
  return (
    <div>
      <p role="timer" className="font-medium tabular-nums">
        {left_s > 0 ? texts.left(minutes) : texts.over}
      </p>
      <p className="text-sm text-muted">{texts.leftHint}</p>
    </div>
  )
}
