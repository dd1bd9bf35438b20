// How pods say to which group and queue they belong.
export const GROUP_LABEL = 'scheduler.tensorstack.dev/group-name'
export const QUEUE_LABEL = 'scheduler.tensorstack.dev/queue'
export const ROLE_LABEL = 'scheduler.tensorstack.dev/role'

export const T9K_SCHEDULER = 't9k-scheduler'
/** On a job's first replica, and there `master`; TFJob has its own. */
export const LEADER_LABELS = ['job-role', 'tf-job-role', 'training.kubeflow.org/job-role'] as const
