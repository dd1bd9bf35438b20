{{- define "trainyard.name" -}}
{{ .Release.Name }}-operator
{{- end }}

{{- define "trainyard.account" -}}
{{ .Values.serviceAccount.name | default (include "trainyard.name" .) }}
{{- end }}

{{- define "trainyard.selector" -}}
app.kubernetes.io/name: trainyard
app.kubernetes.io/component: operator
{{- if ne .Release.Name "trainyard" }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
{{- end }}

{{- define "trainyard.labels" -}}
{{ include "trainyard.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{/* The groups of another gang scheduler than T9k's, if one is named. */}}
{{- define "trainyard.gangRules" -}}
{{- $group := get (dict "volcano" "scheduling.volcano.sh" "coscheduling" "scheduling.x-k8s.io") .Values.gangScheduler }}
{{- if $group }}
- apiGroups: [{{ $group }}]
  resources: [podgroups]
  verbs: [get, list, watch, create, delete, patch]
{{- end }}
{{- end }}
