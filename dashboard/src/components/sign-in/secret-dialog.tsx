// Dialog with a new secret. Neither Escape nor a click beside it closes it: the secret would be
// lost.
import { apiKeyTexts } from '../../messages/api-keys.ts'
import { Button } from '../button.tsx'
import { Dialog } from '../popups/dialog.tsx'
import { SecretOnce } from './secret-once.tsx'

const texts = apiKeyTexts.secret

export function SecretDialog({ value, onStored }: { value: string; onStored: () => void }) {
  return (
    <Dialog
      open
      isDismissible={false}
      onClose={onStored}
      title={texts.title}
      description={texts.text}
    >
      <SecretOnce label={texts.label} value={value} />
      <Button look="primary" className="self-end" onClick={onStored}>
        {texts.stored}
      </Button>
    </Dialog>
  )
}
