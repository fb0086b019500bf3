// Dialog with a new secret. Neither Escape nor a click beside it closes it: the secret would be
// lost.
import { useServiceUrls } from '../../lib/sign-in/service-facts.ts'
import { apiKeyTexts } from '../../messages/api-key-texts.ts'
import { Button } from '../button.tsx'
import { CodeBlock } from '../code-block.tsx'
import { Dialog } from '../popups/dialog.tsx'
import { SecretOnce } from './secret-once.tsx'

const texts = apiKeyTexts.secret

type Props = {
  value: string
  /** Whether the secret may read the account, as the shown command does. */
  readsAccount: boolean
  onStored: () => void
}

export function SecretDialog({ value, readsAccount, onStored }: Props) {
  const { base_url } = useServiceUrls()
  const curl = `curl ${base_url}/v1/account \\
  -H "Authorization: Bearer ${value}"`
  return (
    <Dialog
      open
      isDismissible={false}
      onClose={onStored}
      title={texts.title}
      description={texts.text}
    >
      <SecretOnce label={texts.label} value={value} />
      {readsAccount && (
        <div className="flex flex-col gap-1.5">
          <p className="text-sm font-medium">{texts.tryIt}</p>
          <CodeBlock label="curl" code={curl} />
        </div>
      )}
      <Button look="primary" className="self-end" onClick={onStored}>
        {texts.stored}
      </Button>
    </Dialog>
  )
}
