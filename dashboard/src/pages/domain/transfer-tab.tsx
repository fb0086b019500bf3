// Tab for a transfer away: the transfer code, which is read only when the user asks for it, since a
// read may set a new one at the registry.
import { useMutation } from '@tanstack/react-query'
import {
  type DomainStatusResponse,
  type DomainTransferAuthCodeResponse,
  getTransferAuthCode,
  regenerateTransferAuthCode,
} from 'sdk'
import { Button } from '../../components/button.tsx'
import { Callout } from '../../components/callout.tsx'
import { Card } from '../../components/card.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { useConfirmation } from '../../components/sign-in/confirm-owner.tsx'
import { answerOf } from '../../lib/api.ts'
import { useLockSwitch } from '../../lib/domains/domain-queries.ts'
import { formatDay } from '../../lib/format.ts'
import { showToast } from '../../lib/toasts.ts'
import { domainPageTexts } from '../../messages/domain-page-texts.ts'

const texts = domainPageTexts.code

export default function TransferTab({ domain }: { domain: DomainStatusResponse }) {
  const path = { domain: domain.domain }
  const setLock = useLockSwitch()
  const { confirmed, dialog } = useConfirmation()
  const code = useMutation({
    // The code is not kept after the user leaves the page.
    gcTime: 0,
    mutationFn: (how: 'read' | 'replace') =>
      confirmed(() =>
        answerOf(
          how === 'read' ? getTransferAuthCode({ path }) : regenerateTransferAuthCode({ path }),
        ),
      ),
    onSuccess: (_answer, how) => {
      if (how === 'replace') showToast({ title: texts.replaced })
    },
  })
  return (
    <Card title={texts.title} className="max-w-2xl">
      <div className="flex flex-col gap-4 p-5">
        <p className="text-muted">{texts.text}</p>
        {domain.locked && (
          <Callout tone="warn" icon="lock" title={texts.locked}>
            <Button
              size="sm"
              className="mt-2"
              onClick={() => setLock({ domain: domain.domain, locked: false })}
            >
              {texts.unlock}
            </Button>
          </Callout>
        )}
        {code.isError && <ErrorNotice error={code.error} />}
        {code.data && <Code code={code.data} />}
        <div className="flex flex-wrap gap-2">
          {code.data ? (
            <>
              <Button onClick={() => code.reset()}>{texts.hide}</Button>
              <Button busy={code.isPending} onClick={() => code.mutate('replace')}>
                {texts.replace}
              </Button>
            </>
          ) : (
            <Button look="primary" busy={code.isPending} onClick={() => code.mutate('read')}>
              {texts.show}
            </Button>
          )}
        </div>
      </div>
      {dialog}
    </Card>
  )
}

function Code({ code }: { code: DomainTransferAuthCodeResponse }) {
  const { auth_code, expires_at, transfer_prohibited_until: prohibited } = code
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm font-medium">{texts.label}</p>
      <div className="flex items-center gap-2 rounded-lg border border-line bg-sunken py-1 pr-1 pl-4">
        <code className="grow font-mono break-all">{auth_code}</code>
        <CopyButton text={auth_code} />
      </div>
      <p className="text-sm text-muted">{texts.until(formatDay(expires_at))}</p>
      {prohibited && <Callout tone="warn" title={texts.prohibited(formatDay(prohibited))} />}
    </div>
  )
}
