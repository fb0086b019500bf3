// Removes a way to log in, confirmed by typing its name, after a new log-in if one is needed.
import { useQueryClient } from '@tanstack/react-query'
import { ConfirmDialog } from '../../components/popups/dialog.tsx'
import { useConfirmedOwner } from '../../components/sign-in/confirm-owner.tsx'
import { showToast } from '../../lib/toasts.ts'

type Texts = {
  remove: string
  removeOf: (name: string) => string
  removeText: string
  removed: (name: string) => string
}

type Props = {
  name: string
  texts: Texts
  /** The key of the query that lists it. */
  queryKey: readonly string[]
  onRemove: () => Promise<unknown>
  onClose: () => void
}

export function RemoveCredential({ name, texts, queryKey, onRemove, onClose }: Props) {
  const queries = useQueryClient()
  const { run, isBusy, error, dialog } = useConfirmedOwner()
  const remove = () =>
    run(async () => {
      await onRemove()
      onClose()
      showToast({ title: texts.removed(name) })
      await queries.invalidateQueries({ queryKey })
    })
  return (
    dialog ?? (
      <ConfirmDialog
        open
        onClose={onClose}
        title={texts.removeOf(name)}
        description={texts.removeText}
        name={name}
        action={texts.remove}
        busy={isBusy}
        error={error}
        onConfirm={() => void remove()}
      />
    )
  )
}
