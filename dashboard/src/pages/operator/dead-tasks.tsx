// Dead letters of the task queue, each with a button that tries it again.
import type { DeadTask } from 'sdk'
import { listDeadTasks, retryDeadTask } from 'sdk-of-operators'
import { Button } from '../../components/button.tsx'
import type { Asked } from '../../components/operator/decision-dialog.tsx'
import { WorkCard, WorkList } from '../../components/operator/work-list.tsx'
import { answerOf } from '../../lib/api.ts'
import { formatMoment } from '../../lib/format.ts'
import { taskTexts as texts } from '../../messages/operator/work-texts.ts'

export default function DeadTasksPage() {
  return (
    <WorkList
      {...texts}
      queryKey="dead-tasks"
      read={async (query) => {
        const { tasks, next_cursor } = await answerOf(listDeadTasks({ query }))
        return { items: tasks, next_cursor }
      }}
      keyOf={({ id }) => String(id)}
    >
      {(task, onAsk) => (
        <WorkCard
          title={task.kind}
          problem={task.last_error}
          actions={
            <Button size="sm" look="primary" onClick={() => onAsk(retryOf(task))}>
              {texts.retry}
            </Button>
          }
          facts={[
            [texts.key, task.key],
            [texts.attempts, String(task.attempts)],
            [texts.queued, formatMoment(task.created_at)],
            [texts.givenUp, formatMoment(task.dead_at)],
          ]}
        />
      )}
    </WorkList>
  )
}

function retryOf({ id, kind }: DeadTask): Asked {
  return {
    title: texts.retryOf(kind),
    text: texts.retryText,
    action: texts.retry,
    done: texts.retryDone,
    force: null,
    reason: null,
    run: () => answerOf(retryDeadTask({ path: { task_id: id } })),
  }
}
