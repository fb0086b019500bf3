// Dialog that removes one object of a list, after the user has typed its name.
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { showToast } from '../../lib/toasts.ts'
import { ConfirmDialog } from './dialog.tsx'

type Props = {
  title: string
  text: string
  /** The name that the user types. */
  name: string
  action: string
  /** The title of the toast. */
  done: string
  remove: () => Promise<unknown>
  /** The queries that are read again after the removal. */
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
