// The end of a dialog's form: the button that closes the dialog, then the one that sends the form.
import { common } from '../../messages/common-texts.ts'
import { Button } from '../button.tsx'

type Props = {
  action: string
  busy: boolean
  disabled?: boolean
  /** Whether the button is red, because the action takes something away. */
  isDanger?: boolean
  onCancel: () => void
}

export function FormButtons({ action, busy, disabled, isDanger = false, onCancel }: Props) {
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <Button onClick={onCancel}>{common.cancel}</Button>
      <Button type="submit" look={isDanger ? 'danger' : 'primary'} busy={busy} disabled={disabled}>
        {action}
      </Button>
    </div>
  )
}
