// Removal of one object of a list, after its name was typed.
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { showToast } from '../../lib/toasts.ts'
import { ConfirmDialog } from './dialog.tsx'

type Props = {
  title: string
  text: string
  /** To be typed. */
  name: string
  action: string
  /** The toast's. */
  done: string
  remove: () => Promise<unknown>
  /** The query that is read again. */
  stale: readonly QueryKey[]
  onClose: () => void
}

export function RemovalDialog({ title, text, name, action, done, remove, stale, onClose }: Props) {
  const queries = useQueryClient()
  const removal = useMutation({
    mutationFn: remove,
    onSuccess: () => {
      onClose()
      showToast({ title: done })
      return Promise.all(stale.map((queryKey) => queries.invalidateQueries({ queryKey })))
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={title}
      description={text}
      name={name}
      action={action}
      busy={removal.isPending}
      error={removal.error}
      onConfirm={() => removal.mutate()}
    />
  )
}
