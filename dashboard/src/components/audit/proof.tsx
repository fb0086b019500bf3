// Proof of an entry, which is read on demand and verified in the browser step by step.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { readAuditProof } from 'sdk'
import { useAccount } from '../../lib/account.ts'
import { answerOf } from '../../lib/api.ts'
import { formatMoment } from '../../lib/format.ts'
import { auditTexts } from '../../messages/audit/audit-texts.ts'
import { Button } from '../button.tsx'
import { Icon } from '../icon.tsx'
import { ErrorNotice } from '../notice.tsx'
import { type ProofSteps, verifyProof } from './verify-proof.ts'

const texts = auditTexts.proof
const steps = ['row', 'inclusion', 'block', 'signature'] as const

export function Proof({ audit_log_id }: { audit_log_id: number }) {
  const { id: customer_id } = useAccount()
  const [isAsked, setAsked] = useState(false)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['audit-proof', audit_log_id],
    queryFn: async () => {
      const proof = await answerOf(readAuditProof({ path: { customer_id, audit_log_id } }))
      return { proof, verified: await verifyProof(proof) }
    },
    enabled: isAsked,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <section aria-label={texts.title} className="mt-3">
      {!data && (
        <>
          <p className="mb-2 max-w-2xl text-sm text-muted">{texts.text}</p>
          <Button size="sm" busy={isFetching} onClick={() => setAsked(true)}>
            {isFetching ? texts.checking : texts.check}
          </Button>
        </>
      )}
      {error && (
        <div className="mt-2">
          <ErrorNotice error={error} onRetry={() => void refetch()} />
        </div>
      )}
      {data && (
        <div role="status">
          <Verified verified={data.verified} />
          <p className="mt-1 text-xs break-all text-muted">
            {texts.block(data.proof.block.number, formatMoment(data.proof.block.created_at))}
            {' · '}
            {texts.key} <code className="font-mono">{data.proof.block.key_id}</code>
          </p>
        </div>
      )}
    </section>
  )
}

function Verified({ verified }: { verified: ProofSteps }) {
  const isValid = steps.every((step) => verified[step])
  return (
    <>
      <p className={`font-medium ${isValid ? 'text-good' : 'text-bad'}`}>
        {isValid ? texts.valid : `${texts.invalid}. ${texts.invalidText}`}
      </p>
      <ul className="mt-1 text-sm">
        {steps.map((step) => (
          <li key={step} className="flex items-center gap-2">
            <Icon
              name={verified[step] ? 'check' : 'close'}
              className={`size-3.5 ${verified[step] ? 'text-good' : 'text-bad'}`}
            />
            <span className={verified[step] ? '' : 'text-bad'}>
              {verified[step] ? texts.steps[step] : texts.broken[step]}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
